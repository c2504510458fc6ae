import { projectionContract } from '@nimo/projection-engine/testing';
import { projections } from './registry.js';
import { chaoticHistory } from './testing/chaotic-history.fixture.js';

const STEPS = 300;

// Erasures included: the erased events must rebuild the rows that the live projection ends up with.
for (const projection of projections) projectionContract(projection, (seed) => chaoticHistory(seed, STEPS));
