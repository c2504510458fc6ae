import { historyProjection } from './history/history.projection.js';
import { moderationProjection } from './moderation/moderation.projection.js';
import { projections } from './registry.js';
import { projectionContract } from '@nimo/projection-engine/testing';
import { randomPast } from './testing/random-history.fixture.js';
import { stormyPast } from './testing/stormy-history.fixture.js';

const storm = (seed: number) => stormyPast(seed, 800).appends;
for (const projection of projections) projectionContract(projection, storm);

const history = (seed: number) => randomPast(seed, 800).appends;
// In which posts are reported just after reports of them were upheld.
projectionContract(moderationProjection, history, 1011);
// In which two acceptances of an answer overlap: the second one makes rows of both.
projectionContract(historyProjection, history, 253121);
