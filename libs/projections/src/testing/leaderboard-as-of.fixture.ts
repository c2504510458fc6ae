import {
  factKeysOf,
  foldFact,
  rankOrder,
  scoreEntriesOf,
  type ScoreFact,
  scoreFold,
  type ScoringRules,
} from '@nimo/domain';
import { expect } from '@jest/globals';
import type { SeededRandom } from '@nimo/testing';
import { type AsOf, isCounted } from '../history/scores-as-of.js';
import { pageOfLeaderboardAsOf } from '../history/leaderboard-as-of.queries.js';
import { ScoreSnapshots } from '../history/score-snapshots.js';
import type { EventHistory } from './event-history.fixture.js';
import { randomHistory } from './random-history.fixture.js';
import { openReadSide, type ReadSide } from './read-side.fixture.js';
import { standingRules } from './standing-rules.fixture.js';

type HistoryEvents = Pick<EventHistory, 'events'>;

interface Place {
  readonly studentId: string;
  readonly score: number;
  readonly reputations: number;
  readonly commitments: number;
  readonly questionsAsked: number;
  readonly questionsAnswered: number;
  readonly answersAccepted: number;
}

/** Reference implementation: the domain's folds in log order. @returns the leaderboard of a space */
function boardsByFold(past: HistoryEvents, asOf: AsOf): (spaceId: string) => Place[] {
  const versions = standingRules(
    past.events.filter((event, index) => isCounted(asOf, { ...event, ordinal: index + 1 })),
  );
  const facts = factsByFold(past, asOf);
  return (spaceId) =>
    boardOf(
      facts.filter((fact) => fact.spaceId === spaceId),
      versions,
    );
}

function boardOf(ofSpace: readonly ScoreFact[], versions: readonly ScoringRules[]): Place[] {
  return [...new Set(ofSpace.map(({ studentId }) => studentId))]
    .map((studentId) => ({ studentId, facts: ofSpace.filter((fact) => fact.studentId === studentId) }))
    .filter(({ facts: ofStudent }) => scoreEntriesOf(ofStudent, versions).length > 0)
    .map(({ studentId, facts: ofStudent }) => ({ studentId, ...scoreFold(ofStudent, versions) }))
    .sort(rankOrder)
    .map(({ lastOrdinal: _, ...place }) => place);
}

function factsByFold(past: HistoryEvents, asOf: AsOf): ScoreFact[] {
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

/** Shuffles some event times, as in an import. */
function shuffleTimes(past: EventHistory, random: () => number): void {
  for (const [index, event] of past.events.entries()) {
    if (random() > 0.25) continue;
    const other = past.events[Math.floor(random() * past.events.length)] ?? event;
    const { occurredAt } = other.metadata;
    past.events[index] = { ...event, metadata: { ...event.metadata, occurredAt } };
  }
}

export const spacesOf = (past: HistoryEvents): string[] =>
  past.events.flatMap((event) => (event.type === 'SpaceCreated' ? [event.data.spaceId] : []));

/** Random ordinals and times among the first `upTo` events. */
export const randomPoints = (
  past: HistoryEvents,
  upTo: number,
  count: number,
  chance: SeededRandom,
): AsOf[] =>
  Array.from({ length: count }, (_, index) => {
    if (index % 2 === 0) return { by: 'ordinal', ordinal: chance.between(0, upTo) };
    const event = chance.pick(past.events.slice(0, upTo));
    if (!event) throw new Error('the history is empty');
    return { by: 'moment', at: event.metadata.occurredAt };
  });

/** Expects queries and domain folds to return the same leaderboards for all spaces. */
export async function expectLeaderboardsAsOf(
  side: ReadSide,
  past: HistoryEvents,
  points: readonly AsOf[],
): Promise<void> {
  for (const asOf of points) {
    const boardByFold = boardsByFold(past, asOf);
    for (const spaceId of spacesOf(past)) {
      const expected = boardByFold(spaceId);
      expect({ asOf, board: await boardBySql(side, spaceId, asOf) }).toEqual({ asOf, board: expected });
    }
  }
}

export type Order = 'in order' | 'out of order';

/** Records a random history in parts, and compares leaderboards before and after taking snapshots. */
export async function expectLeaderboardHistory(options: {
  readonly order: Order;
  readonly seed: number;
  readonly steps: number;
  readonly minFacts: number;
  readonly chance: SeededRandom;
}): Promise<void> {
  const { order, seed, steps, minFacts, chance } = options;
  const past = randomHistory(seed * 2_003, steps);
  if (order === 'out of order') shuffleTimes(past, () => chance.next());
  const side = await openReadSide();
  try {
    const snapshots = new ScoreSnapshots({ pool: side.pool, minFacts });
    for (const part of [0.4, 0.7, 0.85, 1]) {
      const upTo = Math.ceil(part * past.events.length);
      await side.record(past, upTo);
      const known = { events: past.events.slice(0, upTo) };
      // First with older snapshots only, then with fresh ones.
      await expectLeaderboardsAsOf(side, known, randomPoints(past, upTo, 4, chance));
      expect(await snapshots.takeDue()).toBeGreaterThan(0);
      expect(await snapshots.takeDue()).toBe(0);
      await expectLeaderboardsAsOf(side, known, randomPoints(past, upTo, 12, chance));
    }
  } finally {
    await side.close();
  }
}
