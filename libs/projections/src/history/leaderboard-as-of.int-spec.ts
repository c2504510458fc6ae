import { describe, expect, it } from '@jest/globals';
import { historySeed, SeededRandom } from '@nimo/testing';
import {
  expectLeaderboardHistory,
  expectLeaderboardsAsOf,
  type Order,
  randomPoints,
  spacesOf,
} from '../testing/leaderboard-as-of.fixture.js';
import { EventHistory } from '../testing/event-history.fixture.js';
import { randomHistory } from '../testing/random-history.fixture.js';
import { openReadSide } from '../testing/read-side.fixture.js';
import { pageOfLeaderboard } from '../leaderboard/leaderboard.queries.js';
import type { AsOf } from './scores-as-of.js';
import { findHistoryRange } from './history-marks.js';
import { findScoreAsOf, pageOfLeaderboardAsOf } from './leaderboard-as-of.queries.js';
import { ScoreSnapshots } from './score-snapshots.js';

const seed = historySeed();
const chance = new SeededRandom(seed);

describe(`the leaderboard at an earlier time (NIMO_HISTORY_SEED=${seed})`, () => {
  it.each<[Order, number]>([
    ['in order', 2],
    ['out of order', 7],
  ])(
    'equals the fold, from facts and from snapshots, of a short history recorded %s (%i)',
    (order, history) => expectLeaderboardHistory({ order, seed: history, steps: 200, minFacts: 5, chance }),
  );

  it('equals the live leaderboard at the log head', async () => {
    const past = randomHistory(seed, 400);
    const side = await openReadSide();
    try {
      await side.record(past);
      const asOf: AsOf = { by: 'ordinal', ordinal: past.events.length };
      for (const spaceId of spacesOf(past)) {
        const live = await pageOfLeaderboard(side.pool, { spaceId, viewerId: null });
        const then = await pageOfLeaderboardAsOf(side.pool, { spaceId, asOf });
        expect(then.totalPages).toBe(live.totalPages);
        expect(then.docs.map(({ _id, rank, score, now }) => ({ _id, rank, score, now: now?.rank }))).toEqual(
          live.docs.map(({ student, rank, score }) => ({ _id: student._id, rank, score, now: rank })),
        );
        for (const { _id, ...row } of then.docs)
          expect(await findScoreAsOf(side.pool, spaceId, _id, asOf)).toEqual({ _id, ...row });
        expect(await findScoreAsOf(side.pool, spaceId, 'unknown', asOf)).toBeNull();
      }
    } finally {
      await side.close();
    }
  });

  it('drops the snapshots of a retired generation and takes new ones', async () => {
    const past = randomHistory(4_711, 400);
    const side = await openReadSide();
    try {
      await side.record(past);
      const snapshots = new ScoreSnapshots({ pool: side.pool, minFacts: 25 });
      const taken = await snapshots.takeDue();
      expect(taken).toBeGreaterThan(0);
      await side.rebuild('history');
      expect(await snapshots.takeDue()).toBe(taken);
      const { rows } = await side.pool.query<{ n: number }>(
        'select count(*)::int as n from read.score_snapshots',
      );
      expect(rows[0]?.n).toBe(taken);
      await expectLeaderboardsAsOf(side, past, randomPoints(past, past.events.length, 6, chance));
    } finally {
      await side.close();
    }
  });
});

describe('the history range of a space', () => {
  it('marks decisions, reassignments and reversals by moderators', async () => {
    const side = await openReadSide();
    try {
      const past = new EventHistory();
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
