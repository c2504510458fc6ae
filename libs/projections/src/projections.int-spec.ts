import { projectionContract } from '@nimo/projection-engine/testing';
import { projections } from './registry.js';
import { stormyPast } from './testing/stormy-history.fixture.js';

const STEPS = 300;

// And after erasures of words: what is read then gives the rows that live ones became by the events of the erasure.
for (const projection of projections) projectionContract(projection, (seed) => stormyPast(seed, STEPS));
