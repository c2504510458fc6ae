export { describeSchema } from './describe-schema.js';
export { eventually } from './eventually.js';
export { fc } from './fast-check.js';
export { createTestDatabase, type TestDatabase } from './postgres.js';
export { atProcessEnd } from './process-end.js';
export { commandsSeed, faultsSeed, hasRandomSeeds, historySeed, propertiesSeed } from './seed.js';
export { SeededRandom } from './seeded-random.js';
