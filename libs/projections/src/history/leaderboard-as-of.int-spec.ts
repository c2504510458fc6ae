import {
  factKeysOf,
  foldFact,
  publicFacts,
  rankOrder,
  type ScoreFact,
  scoreFold,
  type ScoringRules,
} from '@nimo/domain';
import { describe, expect, it } from '@jest/globals';
import { historySeed } from '../../../../test/seed.js';
import { SeededRandom } from '../../../../test/seeded-random.js';
import { withDays } from '../testing/past-days.fixture.js';
import { Past } from '../testing/past.fixture.js';
import { randomPast } from '../testing/random-history.fixture.js';
import { openReadSide, type ReadSide } from '../testing/read-side.fixture.js';
import { pageOfLeaderboard } from '../leaderboard/leaderboard.queries.js';
import { type AsOf, isCounted } from './as-of.js';
import { findHistoryRange } from './history-range.queries.js';
import { findScoreAsOf, pageOfLeaderboardAsOf } from './leaderboard-as-of.queries.js';
import { ScoreSnapshots } from './score-snapshots.js';

const FEW_FACTS = 25;

type Told = Pick<Past, 'events'>;

interface Place {
  readonly studentId: string;
  readonly score: number;
  readonly reputations: number;
  readonly commitments: number;
  readonly questionsAsked: number;
  readonly questionsAnswered: number;
  readonly answersAccepted: number;
}

/** As of when casts counted for others: when the latest of the days began that count, of the same day the first that was told. */
function dawnByFold(past: Told, asOf: AsOf): AsOf {
  const [latest] = past.events
    .flatMap((event, index) => (event.type === 'DayBegan' ? [{ ...event, ordinal: index + 1 }] : []))
    .filter((event) => isCounted(asOf, event))
    .sort((left, right) => right.data.day.localeCompare(left.data.day) || left.ordinal - right.ordinal);
  if (!latest) return asOf;
  const before = Date.parse(latest.metadata.occurredAt) - 1;
  return asOf.by === 'ordinal'
    ? { by: 'ordinal', ordinal: latest.ordinal }
    : { by: 'moment', at: new Date(before).toISOString() };
}

/** The plain way: the domain's folds over the events that count, in log order. */
function boardByFold(past: Told, spaceId: string, asOf: AsOf): Place[] {
  const versions = past.events
    .filter((event, index) => isCounted(asOf, { ...event, ordinal: index + 1 }))
    .flatMap((event) => (event.type === 'ScoringRulesPublished' ? [event.data] : []));
  const own = publicFacts(factsByFold(past, asOf), factsByFold(past, dawnByFold(past, asOf))).filter(
    (fact) => fact.spaceId === spaceId,
  );
  return [...new Set(own.map(({ studentId }) => studentId))]
    .map((studentId) => ({ studentId, facts: own.filter((fact) => fact.studentId === studentId) }))
    .filter(({ facts: ofStudent }) => hasEntry(ofStudent, versions))
    .map(({ studentId, facts: ofStudent }) => ({ studentId, ...scoreFold(ofStudent, versions) }))
    .sort(rankOrder)
    .map(({ lastOrdinal: _, ...place }) => place);
}

function factsByFold(past: Told, asOf: AsOf): ScoreFact[] {
  const facts = new Map<string, ScoreFact>();
  for (const [index, event] of past.events.entries()) {
    const numbered = { ...event, ordinal: index + 1 };
    if (!isCounted(asOf, numbered)) continue;
    for (const key of factKeysOf(event)) {
      const fact = foldFact(facts.get(key.join()), numbered, key);
      if (fact) facts.set(key.join(), fact);
    }
  }
  return [...facts.values()];
}

/** A round of reports that costs nothing yet is no reason for a row. */
const hasEntry = (facts: readonly ScoreFact[], versions: readonly ScoringRules[]): boolean =>
  facts.some((fact) => fact.standing && (fact.kind !== 'POST_REPORTED' || isDue(fact, versions)));
const isDue = (fact: ScoreFact, versions: readonly ScoringRules[]): boolean =>
  scoreFold([fact], versions).lastOrdinal > 0;

async function boardBySql(side: ReadSide, spaceId: string, asOf: AsOf): Promise<Place[]> {
  const places: Place[] = [];
  for (let page = 1; ; page += 1) {
    const { docs, totalPages } = await pageOfLeaderboardAsOf(side.pool, { spaceId, asOf, page, limit: 4 });
    for (const { _id, student: _student, rank, now: _now, ...score } of docs) {
      expect(rank).toBe(places.length + 1);
      places.push({ studentId: _id, ...score });
    }
    if (page >= totalPages) return places;
  }
}

/** As an import would: some of it happened long before it was logged, and not in the order of the log. */
function tellOutOfOrder(past: Past, random: () => number): void {
  for (const [index, event] of past.events.entries()) {
    if (random() > 0.25) continue;
    const other = past.events[Math.floor(random() * past.events.length)] ?? event;
    const { occurredAt } = other.metadata;
    past.events[index] = { ...event, metadata: { ...event.metadata, occurredAt } };
  }
}

/** Whole histories are folded and asked about: on a busy machine that takes minutes. */
const PATIENCE_MS = 300_000;

const chosen = historySeed();
const chance = new SeededRandom(chosen);

const spacesOf = (past: Told): string[] =>
  past.events.flatMap((event) => (event.type === 'SpaceCreated' ? [event.data.spaceId] : []));

const pick = <T>(items: readonly T[]): T => {
  const item = items[Math.floor(chance.next() * items.length)];
  if (item === undefined) throw new Error('nothing to pick from');
  return item;
};

const pointsOf = (past: Told, upTo: number, count: number): AsOf[] =>
  Array.from({ length: count }, (_, index) =>
    index % 2 === 0
      ? { by: 'ordinal', ordinal: Math.floor(chance.next() * (upTo + 1)) }
      : { by: 'moment', at: pick(past.events.slice(0, upTo)).metadata.occurredAt },
  );

describe(`the leaderboard as of then (NIMO_HISTORY_SEED=${chosen})`, () => {
  it.each([
    ['in order', 1],
    ['in order', 2],
    ['out of order', 3],
    ['out of order', 4],
    ['out of order', 5],
    ['with days', 6],
    ['with days, and out of order', 7],
  ])(
    'is the plain fold of what counts, from facts and from snapshots, of a history told %s (%i)',
    async (order, seed) => {
      const hasDays = order.startsWith('with days');
      const past = randomPast(seed * 2_003, 700);
      const dice = new SeededRandom(seed);
      if (hasDays) withDays(past, () => dice.next());
      if (order.endsWith('out of order')) tellOutOfOrder(past, () => chance.next());
      const side = await openReadSide();
      try {
        const snapshots = new ScoreSnapshots({ pool: side.pool, leastFacts: FEW_FACTS });
        let takenInAll = 0;
        for (const part of [0.4, 0.7, 0.85, 1]) {
          const upTo = Math.ceil(part * past.events.length);
          await side.record(past, upTo);
          const known = { events: past.events.slice(0, upTo) };
          // Some points from the snapshots of before alone, some from fresh ones.
          await expectPointsToHold(side, known, pointsOf(past, upTo, 8));
          const taken = await snapshots.takeDue();
          // Where days are strewn in, how many facts a part has is left to chance.
          if (!hasDays) expect(taken).toBeGreaterThan(0);
          takenInAll += taken;
          expect(await snapshots.takeDue()).toBe(0);
          await expectPointsToHold(side, known, pointsOf(past, upTo, 24));
        }
        expect(takenInAll).toBeGreaterThan(0);
      } finally {
        await side.close();
      }
    },
    PATIENCE_MS,
  );

  async function expectPointsToHold(side: ReadSide, past: Told, points: readonly AsOf[]): Promise<void> {
    for (const asOf of points) {
      for (const spaceId of spacesOf(past)) {
        const expected = boardByFold(past, spaceId, asOf);
        expect({ asOf, board: await boardBySql(side, spaceId, asOf) }).toEqual({ asOf, board: expected });
      }
    }
  }

  it(
    'at the head is the live one, with the same ranks then and now',
    async () => {
      const past = withDays(randomPast(chosen, 400), () => chance.next());
      const side = await openReadSide();
      try {
        await side.record(past);
        const asOf: AsOf = { by: 'ordinal', ordinal: past.events.length };
        for (const spaceId of spacesOf(past)) {
          const live = await pageOfLeaderboard(side.pool, { spaceId, viewerId: null });
          const then = await pageOfLeaderboardAsOf(side.pool, { spaceId, asOf });
          expect(then.totalPages).toBe(live.totalPages);
          expect(
            then.docs.map(({ _id, rank, score, now }) => ({ _id, rank, score, now: now?.rank })),
          ).toEqual(
            live.docs.map(({ student, rank, score }) => ({ _id: student._id, rank, score, now: rank })),
          );
          for (const { _id, ...row } of then.docs)
            expect(await findScoreAsOf(side.pool, spaceId, _id, asOf)).toEqual({ _id, ...row });
          expect(await findScoreAsOf(side.pool, spaceId, 'nobody', asOf)).toBeNull();
        }
      } finally {
        await side.close();
      }
    },
    PATIENCE_MS,
  );

  it('forgets snapshots of a generation that is no longer read, and takes them anew', async () => {
    const past = randomPast(4_711, 400);
    const side = await openReadSide();
    try {
      await side.record(past);
      const snapshots = new ScoreSnapshots({ pool: side.pool, leastFacts: FEW_FACTS });
      const taken = await snapshots.takeDue();
      expect(taken).toBeGreaterThan(0);
      await side.rebuild('history');
      expect(await snapshots.takeDue()).toBe(taken);
      const { rows } = await side.pool.query<{ n: number }>(
        'select count(*)::int as n from read.score_snapshots',
      );
      expect(rows[0]?.n).toBe(taken);
      await expectPointsToHold(side, past, pointsOf(past, past.events.length, 6));
    } finally {
      await side.close();
    }
  });
});

describe('the range of a space', () => {
  it('is marked by what moderators decided, handed over and took back', async () => {
    const side = await openReadSide();
    try {
      const past = new Past();
      const spaceId = past.newSpace();
      const [author, reporter, moderator] = [past.newStudent(), past.newStudent(), past.newModerator()];
      const post = past.ask(author, past.newTopic(spaceId, past.newSubject(spaceId)));
      past.vote(reporter, post, 'UP');
      past.report(reporter, post);
      past.handOver(moderator, post, past.newModerator());
      past.uphold(moderator, post);
      past.reverseUpholding(moderator, post);
      past.reverse(past.invalidate(moderator, [past.voteData(reporter, post, 'UP')]));
      await side.record(past);
      const range = await findHistoryRange(side.pool, spaceId);
      expect(range?.marks.map(({ kind }) => kind)).toEqual([
        'ReportsHandedOver',
        'ReportsUpheld',
        'UpholdingReversed',
        'VotesInvalidated',
        'InvalidationReversed',
      ]);
      expect(await findHistoryRange(side.pool, past.newSpace())).toBeNull();
    } finally {
      await side.close();
    }
  });
});
