import {
  type ActingStudent,
  changeNewspost,
  type DomainEvent,
  evolveNewspost,
  evolveReaction,
  initialNewspost,
  initialReaction,
  type NewspostEvent,
  type NewspostState,
  newspostStream,
  publishNewspost,
  type ReactionEvent,
  reactionStream,
  removeNewspost,
  restoreNewspost,
  toggleLike,
  toggleSave,
} from '@nimo/domain';
import { randomUUID } from 'node:crypto';
import type { Past } from './past.fixture.js';

/** News and what students do with it, in a history, by the domain's own decisions. */
export class PastNews {
  readonly #past: Past;
  readonly #newId: () => string;

  constructor(past: Past, newId: () => string = randomUUID) {
    this.#past = past;
    this.#newId = newId;
  }

  publish(
    moderatorId: string,
    spaceId: string | null,
    texts: { title?: string; body?: string } = {},
  ): string {
    const newspostId = this.#newId();
    const { title = 'Open day', body = '<p>On Friday.</p>' } = texts;
    const command = { actor: moderator(moderatorId), newspostId, spaceId, spaceExists: true, title, body };
    this.#past.happened(newspostStream(newspostId), ...publishNewspost(command, undefined));
    return newspostId;
  }

  change(moderatorId: string, newspostId: string, title: string, body: string): void {
    this.#decided(newspostId, (state) =>
      changeNewspost({ actor: moderator(moderatorId), title, body }, state),
    );
  }

  remove(moderatorId: string, newspostId: string): void {
    this.#decided(newspostId, (state) => removeNewspost({ actor: moderator(moderatorId) }, state));
  }

  restore(moderatorId: string, newspostId: string): void {
    this.#decided(newspostId, (state) => restoreNewspost({ actor: moderator(moderatorId) }, state));
  }

  /** Toggles, as the product's button does. */
  like(studentId: string, newspostId: string): void {
    this.#react(toggleLike, studentId, newspostId);
  }

  /** Toggles, as the product's button does. */
  save(studentId: string, newspostId: string): void {
    this.#react(toggleSave, studentId, newspostId);
  }

  #decided(newspostId: string, decide: (state: NewspostState) => readonly DomainEvent[]): void {
    this.#past.happened(newspostStream(newspostId), ...decide(this.#newspost(newspostId)));
  }

  #react(toggle: typeof toggleLike | typeof toggleSave, studentId: string, newspostId: string): void {
    const stream = reactionStream(newspostId, studentId);
    const state = (this.#eventsOf(stream) as ReactionEvent[]).reduce(evolveReaction, initialReaction);
    const command = { actor: student(studentId), isMember: true, newspost: this.#newspost(newspostId) };
    this.#past.happened(stream, ...toggle(command, state));
  }

  #newspost(newspostId: string): NewspostState {
    const events = this.#eventsOf(newspostStream(newspostId)) as NewspostEvent[];
    return events.reduce(evolveNewspost, initialNewspost);
  }

  #eventsOf(streamId: string): readonly DomainEvent[] {
    return this.#past.events.filter((event) => event.streamId === streamId);
  }
}

const student = (studentId: string): ActingStudent => ({
  kind: 'student',
  studentId,
  registered: true,
  blocked: false,
  roles: [],
});
const moderator = (studentId: string): ActingStudent => ({
  ...student(studentId),
  roles: [{ role: 'MODERATOR', spaceId: null }],
});
