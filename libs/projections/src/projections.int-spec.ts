import { SeededRandom } from '../../../test/seeded-random.js';
import { historyProjection } from './history/history.projection.js';
import { leaderboardProjection } from './leaderboard/leaderboard.projection.js';
import { moderationProjection } from './moderation/moderation.projection.js';
import { projections } from './registry.js';
import { projectionContract } from './testing.js';
import { withDays } from './testing/past-days.fixture.js';
import { randomPast } from './testing/random-history.fixture.js';

const history = (seed: number) => randomPast(seed, 800).appends;

for (const projection of projections) projectionContract(projection, history);

// With days that begin in the midst of batches: what casts did counts for others from then on.
const withNights = (seed: number) => {
  const chance = new SeededRandom(seed);
  return withDays(randomPast(seed, 800), () => chance.next()).appends;
};
for (const projection of [leaderboardProjection, historyProjection])
  projectionContract(projection, withNights);

// In which posts are reported just after reports of them were upheld.
projectionContract(moderationProjection, history, 1011);
// In which two acceptances of an answer overlap: the second one makes rows of both.
projectionContract(historyProjection, history, 253121);
