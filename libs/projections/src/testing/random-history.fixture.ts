import {
  AVATARS_STREAM,
  BUILT_IN_AVATARS,
  DomainError,
  type DomainEvent,
  membershipStream,
  readStream,
  spaceStream,
  studentStream,
} from '@nimo/domain';
import { SeededRandom } from '@nimo/testing';
import { NewsHistory } from './news-history.fixture.js';
import { EventHistory } from './event-history.fixture.js';

/** People and posts that the steps of a random history pick from. */
export class Cast {
  readonly students: string[] = [];
  readonly moderators: string[] = [];
  readonly places: ReturnType<EventHistory['newTopic']>[] = [];
  readonly questions: string[] = [];
  readonly answers: string[] = [];
  readonly comments: string[] = [];
  readonly cases: string[] = [];
  readonly newsposts: string[] = [];
  readonly upheld: string[] = [];
  readonly removals: string[] = [];
  readonly past: EventHistory;
  readonly news: NewsHistory;
  readonly random: () => number;

  constructor(seed: number, stepMs?: number) {
    const chance = new SeededRandom(seed);
    this.random = () => chance.next();
    this.past = new EventHistory(() => this.uuid(), stepMs);
    this.news = new NewsHistory(this.past, () => this.uuid());
    for (let count = 0; count < 2; count += 1) this.openSpace();
    for (let count = 0; count < 5; count += 1) this.students.push(this.past.newStudent());
    this.students.push(this.past.newStandIn(), this.past.newRobot());
    this.moderators.push(this.past.newModerator());
  }

  one<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.random() * items.length)];
    // With nothing to pick from yet, the step fails like one that the domain rejects.
    if (item === undefined) throw new DomainError('POST_NOT_FOUND');
    return item;
  }

  get post(): string {
    return this.one([...this.questions, ...this.answers]);
  }

  get anyPost(): string {
    return this.one([...this.questions, ...this.answers, ...this.comments]);
  }

  get student(): string {
    return this.one(this.students);
  }

  private openSpace(): void {
    const spaceId = this.past.newSpace();
    for (const name of ['Mathematics', 'Physics']) {
      const subjectId = this.past.newSubject(spaceId, name);
      this.places.push(
        this.past.newTopic(spaceId, subjectId),
        this.past.newTopic(spaceId, subjectId, 'Waves', 'SECONDARY'),
      );
    }
  }

  private uuid(): string {
    const hex = Array.from({ length: 32 }, () => Math.floor(this.random() * 16).toString(16)).join('');
    return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
  }
}

export type HistoryStep = (cast: Cast) => void;

/** All steps are equally likely. Frequent ones are listed more than once. */
export const HISTORY_STEPS: readonly HistoryStep[] = [
  (c) => c.questions.push(c.past.ask(c.student, c.one(c.places))),
  (c) => c.questions.push(c.past.ask(c.student, c.one(c.places), { body: '' })),
  (c) => c.answers.push(c.past.answer(c.student, c.one(c.questions))),
  (c) => c.answers.push(c.past.answer(c.student, c.one(c.questions))),
  (c) => c.comments.push(c.past.comment(c.student, c.post, `Look @[${c.student}]`)),
  (c) => c.past.vote(c.student, c.post, 'UP'),
  (c) => c.past.vote(c.student, c.post, 'UP'),
  (c) => c.past.vote(c.student, c.post, 'DOWN'),
  (c) => c.past.vote(c.student, c.post, 'DOWN'),
  (c) =>
    c.past.accept(c.one(c.answers), c.random() < 0.5, c.random() < 0.2 ? c.one(c.moderators) : undefined),
  (c) => c.past.editQuestion(c.one(c.questions), `Edited ${c.random()}`),
  (c) => c.past.editAnswer(c.one(c.answers), `<p>${c.random()}</p>`),
  (c) => c.past.save(c.student, c.one(c.questions)),
  (c) => c.past.unsave(c.student, c.one(c.questions)),
  (c) => c.past.report(c.student, c.anyPost),
  (c) => c.past.report(c.student, c.anyPost),
  (c) => c.past.dismiss(c.one(c.moderators), c.anyPost),
  (c) => rarely(c, () => uphold(c)),
  (c) => rarely(c, () => c.past.reverseUpholding(c.one(c.moderators), c.one(c.upheld))),
  (c) => rarely(c, () => rarely(c, () => removeAll(c))),
  (c) => rarely(c, () => c.past.restoreAll(c.one(c.moderators), c.one(c.removals))),
  (c) => rarely(c, () => handOver(c)),
  (c) => rarely(c, () => c.past.deleteQuestion(c.one(c.questions))),
  (c) => rarely(c, () => c.past.deleteAnswer(c.one(c.answers))),
  (c) => rarely(c, () => c.past.deleteComment(c.one(c.comments))),
  (c) => openCase(c),
  (c) => rarely(c, () => c.past.reverse(c.one(c.cases))),
  (c) => rarely(c, () => publishRules(c)),
  (c) => rarely(c, () => recordAnomaly(c)),
  (c) => c.past.join(c.student, c.one(c.places).spaceId),
  (c) => c.past.leave(c.student, c.one(c.places).spaceId),
  (c) => rarely(c, () => c.students.push(c.past.newStudent())),
  (c) => rarely(c, () => writeNews(c)),
  (c) => c.news.like(c.student, c.one(c.newsposts)),
  (c) => c.news.save(c.student, c.one(c.newsposts)),
];

export function rarely(cast: Cast, step: () => void): void {
  if (cast.random() < 0.3) step();
}

function uphold(cast: Cast): void {
  const post = cast.anyPost;
  cast.past.uphold(cast.one(cast.moderators), post, cast.one(['RULES', 'RULES', 'NONE', 'FULL']));
  cast.upheld.push(post);
}

function removeAll(cast: Cast): void {
  const { past, student, places, removals } = cast;
  removals.push(past.removeAll(cast.one(cast.moderators), student, cast.one(places).spaceId));
}

function handOver(cast: Cast): void {
  const to = cast.random() < 0.3 ? null : cast.student;
  cast.past.handOver(cast.one(cast.moderators), cast.anyPost, to);
}

/** Publishes, changes, removes or restores a newspost. */
export function writeNews(cast: Cast): void {
  const { news, newsposts, random } = cast;
  const writer = cast.one(cast.moderators);
  const spaceId = random() < 0.5 ? null : cast.one(cast.places).spaceId;
  const actions: readonly (() => void)[] = [
    () => newsposts.push(news.publish(writer, spaceId)),
    () => news.change(writer, cast.one(newsposts), `News ${random()}`, '<p>Changed.</p>'),
    () => news.remove(writer, cast.one(newsposts)),
    () => news.restore(writer, cast.one(newsposts)),
  ];
  cast.one(actions)();
}

/** Opens a case on votes that may be held, reversed or never cast. */
function openCase(cast: Cast): void {
  const direction = cast.random() < 0.7 ? 'UP' : 'DOWN';
  const voters = new Set([cast.student, cast.student]);
  const post = cast.post;
  cast.cases.push(
    cast.past.invalidate(
      cast.one(cast.moderators),
      [...voters].map((voter) => cast.past.voteData(voter, post, direction)),
    ),
  );
}

function publishRules(cast: Cast): void {
  const moment = cast.one(cast.past.events).metadata.occurredAt;
  cast.past.publishRules({
    effectiveFrom: cast.random() < 0.5 ? null : moment,
    reportThreshold: 1 + Math.floor(cast.random() * 3),
    acceptancePaysOncePerQuestion: cast.random() < 0.5,
    deletionForfeitsWithinHours: cast.one([0, 1, 4]),
    upheldReportsCount: cast.random() < 0.5,
  });
}

/** Records an event that conflicts with other streams or repeats an earlier one. */
export function recordAnomaly(cast: Cast): void {
  const { past, student: studentId } = cast;
  const { spaceId } = cast.one(cast.places);
  const student = (event: DomainEvent) => past.append(studentStream(studentId), event);
  const anomalies: readonly (() => void)[] = [
    () => student({ type: 'StudentBlocked', data: { studentId, reason: 'Spam', rank: 'MAINTAINER' } }),
    () => student({ type: 'StudentUnblocked', data: { studentId } }),
    () => student({ type: 'SecondFactorReset', data: { studentId, reason: 'Lost phone' } }),
    () => past.erase(studentId),
    () => student({ type: 'StudentEmailConfirmed', data: { studentId } }),
    () => student({ type: 'RoleGranted', data: { studentId, role: 'MODERATOR', spaceId } }),
    () => student({ type: 'RoleRevoked', data: { studentId, role: 'MODERATOR', spaceId } }),
    () =>
      past.append(membershipStream(spaceId, studentId), {
        type: 'SpaceJoined',
        data: { spaceId, studentId },
      }),
    () =>
      past.append(spaceStream(spaceId), {
        type: 'SpaceChanged',
        data: {
          spaceId,
          name: `Space ${cast.random()}`,
          description: '',
          scope: 'world',
          bannerImageUrl: null,
          color: '000000',
          hiddenFromSearchEngines: true,
          entry: 'OPEN',
          publicPages: true,
          consentAge: null,
        },
      }),
    () => {
      const readId = cast.student;
      const who = { spaceIds: [spaceId], studentIds: [studentId, cast.student] };
      const data = {
        readId,
        what: 'VOTES',
        ...who,
        post: null,
        caseId: null,
        filter: null,
        rows: 2,
      } as const;
      past.append(readStream(readId), { type: 'ConfidentialDataRead', data });
    },
    () => {
      const data = cast.one(BUILT_IN_AVATARS);
      const type = cast.one(['AvatarAdded', 'AvatarChanged', 'AvatarRetired', 'AvatarRestored'] as const);
      past.append(AVATARS_STREAM, { type, data });
    },
  ];
  cast.one(anomalies)();
}

/**
 * A history of about `steps` events after the setup, deterministic for a seed.
 * @param stepMs milliseconds between events
 */
export function randomHistory(seed: number, steps: number, stepMs?: number): EventHistory {
  const cast = new Cast(seed, stepMs);
  for (let step = 0; step < steps; step += 1) {
    // Concurrent commands are decided on the same state.
    if (cast.random() < 0.15) cast.past.overlapping(pickStep(cast), pickStep(cast));
    else pickStep(cast)();
  }
  return cast.past;
}

/** Picks a step, which may run repeatedly. Domain errors are ignored. */
export function pickStep(cast: Cast, steps = HISTORY_STEPS): () => void {
  const step = cast.one(steps);
  return () => {
    try {
      step(cast);
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
    }
  };
}
