import { randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import type { EventOf } from '@nimo/domain';
import { READ_TYPES } from '@nimo/projection-engine';
import type { AsOf } from '../history/scores-as-of.js';
import { findScoreAsOf, pageOfLeaderboardAsOf } from '../history/leaderboard-as-of.queries.js';
import { ScoreSnapshots } from '../history/score-snapshots.js';
import {
  findLeaderboardScore,
  listOwnLeaderboardScores,
  pageOfLeaderboard,
} from '../leaderboard/leaderboard.queries.js';
import { listScoreHistory, pageOfScoreExplanation } from '../leaderboard/score-explanation.queries.js';
import { listScoringRules } from '../leaderboard/scoring-rules.queries.js';
import { compareRulesSql, weightsOf } from '../leaderboard/scoring-trial.queries.js';
import { effectOfCase } from '../patterns/invalidation-effect.queries.js';
import type { EventHistory } from './event-history.fixture.js';
import { openReadSide, type ReadSide } from './read-side.fixture.js';
import { type CountedScore, type LoggedEvent, scoresByHand } from './scores-by-hand.fixture.js';

const MAX_STUDENTS = 1_000;
const CASE_VOTES = 6;
/** Students of a board who are also read one by one at an earlier point: each such read computes the whole board. */
const READ_ALONE = 4;

type Boards = ReturnType<typeof scoresByHand>;
type Place = Pick<CountedScore, 'studentId' | 'rank' | 'score' | 'reputations' | 'commitments'>;

const placeOf = ({ studentId, rank, score, reputations, commitments }: Place): Place => ({
  studentId,
  rank,
  score,
  reputations,
  commitments,
});

const eventsUpTo = (past: Pick<EventHistory, 'events'>, upTo: number): readonly LoggedEvent[] =>
  past.events.slice(0, upTo).map((event, index) => ({ ...event, ordinal: index + 1 }));

/** Every query that returns a student's current points, with and without the rank. */
const surfacesOf = ({ pool }: ReadSide, spaceId: string, studentId: string) => ({
  ranked: {
    'header and profile': () => findLeaderboardScore(pool, { spaceId, studentId, viewerId: studentId }),
    'page of the student': () => findLeaderboardScore(pool, { spaceId, studentId, viewerId: 'another' }),
    'own scores': async () =>
      (await listOwnLeaderboardScores(pool, studentId)).find(({ space }) => space._id === spaceId),
  },
  unranked: {
    explanation: () => pageOfScoreExplanation(pool, { spaceId, studentId, now: new Date() }),
    'history by day': async () => {
      const last = (await listScoreHistory(pool, { spaceId, studentId })).at(-1);
      return {
        score: last?.scoreAfter,
        reputations: last?.reputationsAfter,
        commitments: last?.commitmentsAfter,
      };
    },
  },
});

/** A removed space has no pages. Its facts remain, so the trial and the preview still count them. */
const isRemoved = (events: readonly LoggedEvent[], spaceId: string): boolean =>
  events.some(({ type, data }) => type === 'SpaceRemoved' && data.spaceId === spaceId);

async function expectCurrentScores(side: ReadSide, events: readonly LoggedEvent[]): Promise<void> {
  const boards = scoresByHand(events);
  expect(boards.size).toBeGreaterThan(0);
  for (const [spaceId, board] of boards) {
    if (isRemoved(events, spaceId)) continue;
    const { docs } = await pageOfLeaderboard(side.pool, { spaceId, viewerId: null, limit: MAX_STUDENTS });
    const shown = docs.map((row) => placeOf({ ...row, studentId: row.student._id }));
    expect(shown).toEqual(board.map(placeOf));
    for (const counted of board) await expectStudent(side, counted);
  }
  await expectTrial(side, boards);
  await expectCase(side, events);
}

async function expectStudent(side: ReadSide, counted: CountedScore): Promise<void> {
  const { spaceId, studentId, rank, score, reputations, commitments } = counted;
  const { ranked, unranked } = surfacesOf(side, spaceId, studentId);
  const points = { score, reputations, commitments };
  for (const [surface, read] of Object.entries(ranked))
    expect({ surface, shown: await read() }).toMatchObject({ surface, shown: { ...points, rank } });
  for (const [surface, read] of Object.entries(unranked))
    expect({ surface, shown: await read() }).toMatchObject({ surface, shown: points });
}

/** Expects a trial of the rules in force to change nothing. */
async function expectTrial({ pool }: ReadSide, boards: Boards): Promise<void> {
  const points = (when: string): string =>
    ['rank', 'score', 'merit', 'impact'].map((name) => `'${name}', ${name}_${when}`).join(', ');
  const { rows } = await pool.query<{ place: string; before: object; after: object }>({
    text: `select space_id || ' ' || student_id as place, jsonb_build_object(${points('before')}) as before,
             jsonb_build_object(${points('after')}) as after from (${compareRulesSql()}) t`,
    values: [weightsOf(await listScoringRules(pool))],
    types: READ_TYPES,
  });
  const expected = [...boards.values()].flat().map(({ spaceId, studentId, ...counted }) => {
    const { rank, score, reputations: merit, commitments: impact } = counted;
    return [`${spaceId} ${studentId}`, { rank, score, merit, impact }] as const;
  });
  expect(new Map(rows.map(({ place, before }) => [place, before]))).toEqual(new Map(expected));
  expect(new Map(rows.map(({ place, after }) => [place, after]))).toEqual(new Map(expected));
}

/** Expects the preview of a case to return the current scores and the scores with the case applied. */
async function expectCase({ pool }: ReadSide, events: readonly LoggedEvent[]): Promise<void> {
  const casts = events.flatMap((event) => (event.type === 'VoteCast' ? [event.data] : []));
  const distinct = new Map(casts.map((vote) => [`${vote.postId} ${vote.voterId}`, vote]));
  const votes = [...distinct.values()].slice(-CASE_VOTES);
  const data = {
    caseId: randomUUID(),
    moderatorId: 'moderator',
    category: 'OTHER',
    reason: '',
    votes,
  } as const;
  const opened: EventOf<'VotesInvalidated'> = { type: 'VotesInvalidated', data };
  const { students } = await effectOfCase(pool, opened);
  expect(students.length).toBeGreaterThan(0);
  const metadata = { occurredAt: events.at(-1)?.metadata.occurredAt ?? '' };
  const sides = {
    before: scoresByHand(events),
    after: scoresByHand([...events, { ...opened, ordinal: events.length + 1, metadata }]),
  };
  for (const [when, boards] of Object.entries(sides) as ['before' | 'after', Boards][]) {
    const shown = students.map((student) => ({ ...student[when], studentId: student.studentId }));
    const expected = students.map(({ spaceId, studentId }) => {
      const counted = boards.get(spaceId)?.find((place) => place.studentId === studentId);
      const nothing = { studentId, rank: null, score: 0, reputations: 0, commitments: 0 };
      return counted ? placeOf(counted) : nothing;
    });
    expect({ when, shown }).toEqual({ when, shown: expected });
  }
}

async function expectScoresAsOf(
  { pool }: ReadSide,
  events: readonly LoggedEvent[],
  asOf: AsOf,
): Promise<void> {
  const counted = events.filter(({ ordinal, metadata }) =>
    asOf.by === 'ordinal' ? ordinal <= asOf.ordinal : metadata.occurredAt <= asOf.at,
  );
  for (const [spaceId, board] of scoresByHand(counted)) {
    if (isRemoved(events, spaceId)) continue;
    const { docs } = await pageOfLeaderboardAsOf(pool, { spaceId, asOf, limit: MAX_STUDENTS });
    const shown = docs.map((row) => placeOf({ ...row, studentId: row._id }));
    expect({ asOf, shown }).toEqual({ asOf, shown: board.map(placeOf) });
    const isReadAlone = (index: number) => index % Math.ceil(board.length / READ_ALONE) === 0;
    for (const { studentId, ...place } of board.filter((_, index) => isReadAlone(index))) {
      const { rank, score, reputations, commitments } = place;
      expect(await findScoreAsOf(pool, spaceId, studentId, asOf)).toMatchObject({
        rank,
        score,
        reputations,
        commitments,
      });
    }
  }
}

/**
 * Expects every surface to return the scores counted by hand: halfway through the history and after its last event, at earlier times
 * from facts and from snapshots, and after rebuilds.
 *
 * @returns the number of snapshots taken
 */
export async function expectConsistentScores(
  past: EventHistory,
  minFacts: number,
): Promise<{ readonly snapshots: number }> {
  const side = await openReadSide();
  try {
    const middle = Math.floor(past.events.length / 2);
    await side.record(past, middle);
    await expectCurrentScores(side, eventsUpTo(past, middle));
    await side.record(past);
    const events = eventsUpTo(past, past.events.length);
    const points: readonly AsOf[] = [
      { by: 'ordinal', ordinal: events.length },
      { by: 'ordinal', ordinal: middle },
      { by: 'moment', at: events[middle]?.metadata.occurredAt ?? '' },
    ];
    const expectPastScores = async () => {
      // The tests' PostgreSQL has no autovacuum: without statistics, each of hundreds of boards takes seconds.
      await side.pool.query('analyze');
      for (const asOf of points) await expectScoresAsOf(side, events, asOf);
    };
    await expectCurrentScores(side, events);
    await expectPastScores();
    const snapshots = await new ScoreSnapshots({ pool: side.pool, minFacts }).takeDue();
    await expectPastScores();
    for (const projection of ['leaderboard', 'history']) await side.rebuild(projection);
    await expectCurrentScores(side, events);
    await expectPastScores();
    return { snapshots };
  } finally {
    await side.close();
  }
}
