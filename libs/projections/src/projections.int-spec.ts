import { projections } from './registry.js';
import { projectionContract } from './testing.js';
import { randomPast } from './testing/random-history.fixture.js';

for (const projection of projections) {
  const seed = Math.floor(Math.random() * 1_000_000);
  projectionContract(projection, () => randomPast(seed, 800).appends);
}
