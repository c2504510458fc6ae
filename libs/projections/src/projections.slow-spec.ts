import { projectionContract } from '@nimo/projection-engine/testing';
import { historyProjection } from './history/history.tables.js';
import { moderationProjection } from './moderation/moderation.projection.js';
import { projections } from './registry.js';
import { studentsProjection } from './students/students.projection.js';
import { randomHistory } from './testing/random-history.fixture.js';
import { chaoticHistory } from './testing/chaotic-history.fixture.js';

// Erasures included: the erased events must rebuild the rows that the live projection ends up with.
for (const projection of projections) projectionContract(projection, (seed) => chaoticHistory(seed, 500));

const storm = (seed: number) => chaoticHistory(seed, 800);
const history = (seed: number) => randomHistory(seed, 800);
// A student who changed their phone number is erased.
projectionContract(studentsProjection, storm, 461364);
// Posts are reported right after earlier reports on them were upheld.
projectionContract(moderationProjection, history, 1011);
// Two acceptances of an answer overlap; the second writes the rows of both.
projectionContract(historyProjection, history, 253121);
// A student who changed their phone number is erased; the verified flag comes from sealed data.
projectionContract(studentsProjection, storm, 463727);
