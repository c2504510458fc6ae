import { projectionContract } from '@nimo/projection-engine/testing';
import { projections } from './registry.js';
import { stormyPast } from './testing/stormy-history.fixture.js';

const STEPS = 300;

// Erasures included: the erased events must rebuild the rows that the live projection ends up with.
for (const projection of projections) projectionContract(projection, (seed) => stormyPast(seed, STEPS));
