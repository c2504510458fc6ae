import { describe, it } from '@jest/globals';
import { historySeed, SeededRandom } from '@nimo/testing';
import { expectLeaderboardHistory, type Order } from '../testing/leaderboard-as-of.fixture.js';

const seed = historySeed();
const chance = new SeededRandom(seed);

describe(`the leaderboard at an earlier time (NIMO_HISTORY_SEED=${seed})`, () => {
  it.each<[Order, number]>([
    ['in order', 1],
    ['in order', 2],
    ['out of order', 3],
    ['out of order', 4],
    ['out of order', 5],
  ])('equals the fold, from facts and from snapshots, of a history recorded %s (%i)', (order, history) =>
    expectLeaderboardHistory({ order, seed: history, steps: 450, minFacts: 15, chance }),
  );
});
