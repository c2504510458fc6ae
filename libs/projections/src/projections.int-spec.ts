import { moderationProjection } from './moderation/moderation.projection.js';
import { projections } from './registry.js';
import { projectionContract } from './testing.js';
import { randomPast } from './testing/random-history.fixture.js';

const history = (seed: number) => randomPast(seed, 800).appends;

for (const projection of projections) projectionContract(projection, history);

// In which posts are reported just after reports of them were upheld.
projectionContract(moderationProjection, history, 1011);
