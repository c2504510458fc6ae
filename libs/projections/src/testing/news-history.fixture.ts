import {
  type ActingStudent,
  aggregate,
  type Aggregate,
  changeNewspost,
  type DomainEvent,
  fold,
  newspostDecider,
  type NewspostState,
  publishNewspost,
  reactionDecider,
  removeNewspost,
  restoreNewspost,
  toggleLike,
  toggleSave,
} from '@nimo/domain';
import { randomUUID } from 'node:crypto';
import type { EventHistory } from './event-history.fixture.js';

/** Adds newsposts and reactions to a history, using the domain's deciders. */
export class NewsHistory {
  private readonly past: EventHistory;
  private readonly newId: () => string;

  constructor(past: EventHistory, newId: () => string = randomUUID) {
    this.past = past;
    this.newId = newId;
  }

  publish(
    moderatorId: string,
    spaceId: string | null,
    texts: { title?: string; body?: string } = {},
  ): string {
    const newspostId = this.newId();
    const { title = 'Open day', body = '<p>On Friday.</p>' } = texts;
    const command = { actor: moderator(moderatorId), newspostId, spaceId, spaceExists: true, title, body };
    this.past.append(newspostDecider.stream(newspostId), ...publishNewspost(command, undefined));
    return newspostId;
  }

  change(moderatorId: string, newspostId: string, title: string, body: string): void {
    this.decide(newspostId, (state) => changeNewspost({ actor: moderator(moderatorId), title, body }, state));
  }

  remove(moderatorId: string, newspostId: string): void {
    this.decide(newspostId, (state) => removeNewspost({ actor: moderator(moderatorId) }, state));
  }

  restore(moderatorId: string, newspostId: string): void {
    this.decide(newspostId, (state) => restoreNewspost({ actor: moderator(moderatorId) }, state));
  }

  /** Toggles the like. */
  like(studentId: string, newspostId: string): void {
    this.react(toggleLike, studentId, newspostId);
  }

  /** Toggles the bookmark. */
  save(studentId: string, newspostId: string): void {
    this.react(toggleSave, studentId, newspostId);
  }

  private decide(newspostId: string, decide: (state: NewspostState) => readonly DomainEvent[]): void {
    const newspost = aggregate(newspostDecider, newspostId);
    this.past.append(newspost.streamId, ...decide(this.state(newspost)));
  }

  private react(toggle: typeof toggleLike | typeof toggleSave, studentId: string, newspostId: string): void {
    const reaction = aggregate(reactionDecider, newspostId, studentId);
    const newspost = this.state(aggregate(newspostDecider, newspostId));
    const command = { actor: student(studentId), isMember: true, newspost };
    this.past.append(reaction.streamId, ...toggle(command, this.state(reaction)));
  }

  private state<S, E extends DomainEvent>({ decider, streamId }: Aggregate<S, E>): S {
    // A stream only holds events of its aggregate.
    const own = this.past.events.filter((event) => event.streamId === streamId) as unknown as E[];
    return fold(decider, own);
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
