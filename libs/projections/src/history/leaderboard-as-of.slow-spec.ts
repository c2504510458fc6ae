import { describe, it } from '@jest/globals';
import { historySeed, SeededRandom } from '@nimo/testing';
import { expectHistoryToHold, type Order } from '../testing/leaderboard-as-of.fixture.js';

const seed = historySeed();
const chance = new SeededRandom(seed);

describe(`the leaderboard as of then (NIMO_HISTORY_SEED=${seed})`, () => {
  it.each<[Order, number]>([
    ['in order', 1],
    ['in order', 2],
    ['out of order', 3],
    ['out of order', 4],
    ['out of order', 5],
  ])(
    'is the plain fold of what counts, from facts and from snapshots, of a history told %s (%i)',
    (order, history) => expectHistoryToHold({ order, seed: history, steps: 450, leastFacts: 15, chance }),
  );
});
