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
import type { Past } from './past.fixture.js';
import {
  type Attempt,
  ATTEMPTS,
  attemptOf,
  Cast,
  happenOddly,
  rarely,
  writeNews,
} from './random-history.fixture.js';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** What happens beside the attempts of every random history. */
const STORMS: readonly Attempt[] = [
  ...ATTEMPTS,
  (c) => c.past.passTime(Math.floor(c.random() * 6 * HOUR)),
  (c) => rarely(c, () => c.past.passTime(-Math.floor(c.random() * 2 * HOUR))),
  (c) => rarely(c, () => c.past.erase(c.student)),
  (c) => rarely(c, () => rarely(c, () => c.past.eraseWithWords(c.student))),
  (c) => changeProfile(c),
  (c) => happenOddly(c),
  (c) => writeNews(c),
  (c) => twice(() => c.news.save(c.one(c.students.slice(0, 2)), c.one(c.newsposts.slice(0, 2)))),
  (c) => twice(() => c.news.like(c.one(c.students.slice(0, 2)), c.one(c.newsposts.slice(0, 2)))),
  (c) => c.past.vote(c.one(c.students.slice(0, 3)), c.post, 'UP'),
  (c) => c.past.vote(c.one(c.students.slice(0, 3)), c.post, 'DOWN'),
  (c) => changeAvatars(c),
  (c) => reserveName(c),
  (c) => changeSpace(c),
  (c) => rarely(c, () => suspend(c)),
  (c) => maintain(c),
  (c) => c.past.unsave(c.student, c.one(c.questions)),
  (c) => c.past.reverse(c.one(c.cases)),
  (c) => c.past.reverseUpholding(c.one(c.moderators), c.one(c.upheld)),
];

function twice(attempt: () => void): void {
  attempt();
  attempt();
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
  past.happened(studentStream(studentId), { type, data: { ...data, realProfilePicUrl: null } });
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
  past.happened(claimStream('username', claim), cast.one(steps));
}

function changeAvatars(cast: Cast): void {
  const type = cast.one(['AvatarAdded', 'AvatarChanged', 'AvatarRetired', 'AvatarRestored'] as const);
  cast.past.happened(AVATARS_STREAM, { type, data: cast.one(BUILT_IN_AVATARS) });
}

/** Its subjects and topics are renamed. */
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
      past.happened(`topic-${subjectId}-taken`, { type: 'TopicNameTaken', data: taken });
    },
    () =>
      past.happened(spaceStream(spaceId), {
        type: 'SubjectChanged',
        data: { spaceId, subjectId, subjectName, color: '00ff00' },
      }),
  ];
  cast.one(changes)();
}

function suspend(cast: Cast): void {
  const { past, student: studentId, places, random } = cast;
  const { spaceId } = cast.one(places);
  const event: DomainEvent =
    random() < 0.5
      ? { type: 'MemberSuspended', data: { spaceId, studentId, reason: 'Spam', rank: 'MODERATOR' } }
      : { type: 'SuspensionLifted', data: { spaceId, studentId, reason: null } };
  past.happened(membershipStream(spaceId, studentId), event);
}

/** Of a projection that there was once: the log keeps what was done to it, and nobody does it again. */
function maintain(cast: Cast): void {
  const { past } = cast;
  const projection = 'former';
  const stopped = { projection, eventId: past.events.at(-1)?.id ?? '', eventType: 'VoteCast', ordinal: 7 };
  const generations = { generation: 2, fromGeneration: 1 };
  const acts: readonly DomainEvent[] = [
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
  past.happened(projectionStream(projection), cast.one(acts));
}

/** A process whose clock is a little, or much, off; or an import of what happened long ago. */
function otherwise(cast: Cast, attempt: () => void): () => void {
  const chance = cast.random();
  const far = cast.random();
  if (chance < 0.5) return () => cast.past.by({ offBy: -MINUTE - Math.floor(far * 100) }, attempt);
  if (chance < 0.8) return () => cast.past.by({ offBy: Math.floor((far - 0.5) * 4 * HOUR) }, attempt);
  const actor = { kind: 'import', id: 'elsewhere', operator: 'ada' } as const;
  return () => cast.past.by({ ago: Math.floor(far * 400 * DAY) }, () => cast.past.as(actor, attempt));
}

/** Whom and what an example speaks of, by the beginning of its id: one of this history; of what the history does not have, one of five. */
const namesakeOf = (cast: Cast, kind: string): string => {
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

const retold = (cast: Cast, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((item) => retold(cast, item));
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, of]) => [name, retold(cast, of)]));
  const kind = typeof value === 'string' ? /^([a-z]+)-\d+$/.exec(value)?.[1] : undefined;
  return kind === undefined ? value : namesakeOf(cast, kind);
};

/** What no attempt tells of happens as the example in the vocabulary says, to those who are there. */
function happenByExample(cast: Cast): void {
  const type = cast.one(untold());
  const data = retold(cast, VOCABULARY[type].example);
  cast.past.happened(`${type}-${namesakeOf(cast, 'example')}`, { type, data } as DomainEvent);
}

let untoldTypes: readonly DomainEvent['type'][] | undefined;
/** So that a new event is in these histories without an attempt of its own. */
function untold(): readonly DomainEvent['type'][] {
  untoldTypes ??= (() => {
    const pasts = Array.from({ length: 24 }, (_, seed) => pastOf(seed, 600, STORMS));
    const told = new Set(pasts.flatMap(({ events }) => events.map(({ type }) => type)));
    return EVENT_TYPES.filter((type) => !told.has(type));
  })();
  return untoldTypes;
}

/**
 * A history of all that can happen, of about `steps` events, the same for the same seed: commands overlap, clocks differ and are put right,
 * and events of long ago are appended now.
 */
export const stormyPast = (seed: number, steps: number): Past =>
  pastOf(seed, steps, untold().length === 0 ? STORMS : [...STORMS, happenByExample]);

function pastOf(seed: number, steps: number, storms: readonly Attempt[]): Past {
  const cast = new Cast(seed);
  for (let step = 0; step < steps; step += 1) {
    const [first, second] = [attemptOf(cast, storms), attemptOf(cast, storms)];
    const chance = cast.random();
    if (chance < 0.1) cast.past.overlapping(first, otherwise(cast, second));
    // The same command twice, as of somebody in two windows.
    else if (chance < 0.15) cast.past.overlapping(first, first);
    else if (chance < 0.25) cast.past.overlapping(first, second);
    else if (chance < 0.35) otherwise(cast, first)();
    else first();
  }
  return cast.past;
}
