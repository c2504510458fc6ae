import {
  AVATARS_STREAM,
  BUILT_IN_AVATARS,
  claimStream,
  type DomainEvent,
  EVENT_TYPES,
  membershipStream,
  projectionStream,
  spaceStream,
  studentStream,
  VOCABULARY,
} from '@nimo/domain';
import type { EventHistory } from './event-history.fixture.js';
import {
  type HistoryStep,
  HISTORY_STEPS,
  pickStep,
  Cast,
  recordAnomaly,
  rarely,
  writeNews,
} from './random-history.fixture.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Steps of a random history, plus rarer events. */
const CHAOTIC_STEPS: readonly HistoryStep[] = [
  ...HISTORY_STEPS,
  (c) => c.past.passTime(Math.floor(c.random() * 6 * HOUR)),
  (c) => rarely(c, () => c.past.passTime(-Math.floor(c.random() * 2 * HOUR))),
  (c) => rarely(c, () => c.past.erase(c.student)),
  (c) => rarely(c, () => rarely(c, () => c.past.eraseWithWords(c.student))),
  (c) => changeProfile(c),
  (c) => recordAnomaly(c),
  (c) => writeNews(c),
  (c) => twice(() => c.news.save(c.one(c.students.slice(0, 2)), c.one(c.newsposts.slice(0, 2)))),
  (c) => twice(() => c.news.like(c.one(c.students.slice(0, 2)), c.one(c.newsposts.slice(0, 2)))),
  (c) => c.past.vote(c.one(c.students.slice(0, 3)), c.post, 'UP'),
  (c) => c.past.vote(c.one(c.students.slice(0, 3)), c.post, 'DOWN'),
  (c) => changeAvatars(c),
  (c) => reserveName(c),
  (c) => changeSpace(c),
  (c) => rarely(c, () => suspend(c)),
  (c) => maintainProjection(c),
  (c) => c.past.unsave(c.student, c.one(c.questions)),
  (c) => c.past.reverse(c.one(c.cases)),
  (c) => c.past.reverseUpholding(c.one(c.moderators), c.one(c.upheld)),
];

function twice(step: () => void): void {
  step();
  step();
}

function changeProfile({ past, student: studentId, random }: Cast): void {
  const words = `${random()}`.slice(2, 8);
  const data = {
    studentId,
    userName: `user_${words}`,
    firstName: 'Ada',
    lastName: words,
    profileDesc: 'New',
  };
  const type = 'StudentProfileChanged';
  past.append(studentStream(studentId), { type, data: { ...data, realProfilePicUrl: null } });
}

function reserveName(cast: Cast): void {
  const { past, student: studentId, random } = cast;
  const claim = `hash-${Math.floor(random() * 9)}`;
  const data = { kind: 'username', claim, reservationId: `reservation of ${studentId}`, studentId } as const;
  const steps: readonly DomainEvent[] = [
    { type: 'ClaimReserved', data: { ...data, expiresAt: `${past.today}T23:59:59.000Z` } },
    { type: 'ClaimConfirmed', data },
    { type: 'ClaimReleased', data },
  ];
  past.append(claimStream('username', claim), cast.one(steps));
}

function changeAvatars(cast: Cast): void {
  const type = cast.one(['AvatarAdded', 'AvatarChanged', 'AvatarRetired', 'AvatarRestored'] as const);
  cast.past.append(AVATARS_STREAM, { type, data: cast.one(BUILT_IN_AVATARS) });
}

/** Renames a subject or topic. */
function changeSpace(cast: Cast): void {
  const { past, places, random } = cast;
  const place = cast.one(places);
  const { spaceId, subjectId } = place;
  const subjectName = `Subject ${random()}`;
  const changes: readonly (() => void)[] = [
    () => past.renameTopic(place, `Topic ${random()}`),
    () => {
      const created = past.events.find(
        ({ type, data }) => type === 'TopicCreated' && data.topicId === place.topicId,
      );
      if (created?.type !== 'TopicCreated') throw new Error('no such topic');
      const taken = { ...created.data, topicName: `Topic ${random()}` };
      past.append(`topic-${subjectId}-taken`, { type: 'TopicNameTaken', data: taken });
    },
    () =>
      past.append(spaceStream(spaceId), {
        type: 'SubjectChanged',
        data: { spaceId, subjectId, subjectName, color: '00ff00' },
      }),
  ];
  cast.one(changes)();
}

/** Suspends or readmits a student, with a warning. */
function suspend(cast: Cast): void {
  const { past, student: studentId, places, random } = cast;
  const { spaceId } = cast.one(places);
  const draw = random();
  const end = draw < 0.25 && { until: '2026-12-01T08:00:00.000Z' };
  const event: DomainEvent =
    draw < 0.5
      ? { type: 'MemberSuspended', data: { spaceId, studentId, reason: 'Spam', rank: 'MODERATOR', ...end } }
      : { type: 'SuspensionLifted', data: { spaceId, studentId, reason: null } };
  const warningId = `warning-${past.events.length}`;
  past.append(membershipStream(spaceId, studentId), event, {
    type: 'MemberWarned',
    data: { spaceId, studentId, warningId, text: 'No spam', rank: 'MODERATOR' },
  });
}

/** Records maintenance of a projection that no longer exists. */
function maintainProjection(cast: Cast): void {
  const { past } = cast;
  const projection = 'former';
  const stopped = { projection, eventId: past.events.at(-1)?.id ?? '', eventType: 'VoteCast', ordinal: 7 };
  const generations = { generation: 2, fromGeneration: 1 };
  const events: readonly DomainEvent[] = [
    { type: 'ProjectionRebuildStarted', data: { projection, hold: false } },
    { type: 'ProjectionRebuildCancelled', data: { projection, generation: 2 } },
    { type: 'ProjectionSwitched', data: { projection, ...generations } },
    { type: 'ProjectionVerificationStarted', data: { projection } },
    { type: 'ProjectionVerificationCancelled', data: { projection } },
    {
      type: 'ProjectionVerificationFinished',
      data: { projection, outcome: 'EQUAL', ordinal: 7, liveHash: 'a', rebuiltHash: 'a', error: null },
    },
    { type: 'ProjectionEventRetried', data: stopped },
    { type: 'ProjectionEventSkipped', data: { ...stopped, version: 1, reason: 'Of no use' } },
  ];
  past.append(projectionStream(projection), cast.one(events));
}

/** Runs a step with a skewed clock, or as an import of old events. */
function withOtherClock(cast: Cast, step: () => void): () => void {
  const chance = cast.random();
  const far = cast.random();
  if (chance < 0.5) return () => cast.past.withClock({ skewMs: -MINUTE - Math.floor(far * 100) }, step);
  if (chance < 0.8) return () => cast.past.withClock({ skewMs: Math.floor((far - 0.5) * 4 * HOUR) }, step);
  const actor = { kind: 'import', id: 'elsewhere', operator: 'ada' } as const;
  return () => cast.past.withClock({ delayMs: Math.floor(far * 400 * DAY) }, () => cast.past.as(actor, step));
}

/** Picks an id of this history by the prefix of an example id; for other prefixes, one of five made-up ids. */
const knownIdFor = (cast: Cast, kind: string): string => {
  const known: Readonly<Record<string, readonly string[]>> = {
    student: cast.students,
    space: cast.places.map(({ spaceId }) => spaceId),
    question: cast.questions,
    answer: cast.answers,
    comment: cast.comments,
    newspost: cast.newsposts,
  };
  return known[kind] ? cast.one(known[kind]) : `${kind}-${Math.floor(cast.random() * 5)}`;
};

const substituteIds = (cast: Cast, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => substituteIds(cast, item));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, substituteIds(cast, of)]));
  const kind = typeof value === 'string' ? /^([a-z]+)-\d+$/.exec(value)?.[1] : undefined;
  return kind === undefined ? value : knownIdFor(cast, kind);
};

/** Records an event that no step produces, from its example in the vocabulary. */
function recordExample(cast: Cast): void {
  const type = cast.one(uncoveredTypes());
  const data = substituteIds(cast, VOCABULARY[type].example);
  cast.past.append(`${type}-${knownIdFor(cast, 'example')}`, { type, data } as DomainEvent);
}

let cachedUncoveredTypes: readonly DomainEvent['type'][] | undefined;
/** Event types that no step produces, so that new events are covered without a step. */
function uncoveredTypes(): readonly DomainEvent['type'][] {
  cachedUncoveredTypes ??= (() => {
    const pasts = Array.from({ length: 24 }, (_, seed) => buildHistory(seed, 600, CHAOTIC_STEPS));
    const covered = new Set(pasts.flatMap(({ events }) => events.map(({ type }) => type)));
    return EVENT_TYPES.filter((type) => !covered.has(type));
  })();
  return cachedUncoveredTypes;
}

/**
 * A history of about `steps` events that covers every event type, deterministic for a seed. Commands overlap, clocks drift and are
 * corrected, and old events are imported.
 */
export const chaoticHistory = (seed: number, steps: number): EventHistory =>
  buildHistory(
    seed,
    steps,
    uncoveredTypes().length === 0 ? CHAOTIC_STEPS : [...CHAOTIC_STEPS, recordExample],
  );

function buildHistory(seed: number, steps: number, choices: readonly HistoryStep[]): EventHistory {
  const cast = new Cast(seed);
  for (let step = 0; step < steps; step += 1) {
    const [first, second] = [pickStep(cast, choices), pickStep(cast, choices)];
    const chance = cast.random();
    if (chance < 0.1) cast.past.overlapping(first, withOtherClock(cast, second));
    // The same command twice, as from two browser windows.
    else if (chance < 0.15) cast.past.overlapping(first, first);
    else if (chance < 0.25) cast.past.overlapping(first, second);
    else if (chance < 0.35) withOtherClock(cast, first)();
    else first();
  }
  return cast.past;
}
