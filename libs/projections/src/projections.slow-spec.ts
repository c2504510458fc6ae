import { projectionContract } from '@nimo/projection-engine/testing';
import { historyProjection } from './history/history.tables.js';
import { moderationProjection } from './moderation/moderation.projection.js';
import { projections } from './registry.js';
import { studentsProjection } from './students/students.projection.js';
import { randomPast } from './testing/random-history.fixture.js';
import { stormyPast } from './testing/stormy-history.fixture.js';

// And after erasures of words: what is read then gives the rows that live ones became by the events of the erasure.
for (const projection of projections) projectionContract(projection, (seed) => stormyPast(seed, 500));

const storm = (seed: number) => stormyPast(seed, 800);
const history = (seed: number) => randomPast(seed, 800);
// In which somebody is erased who had changed their phone.
projectionContract(studentsProjection, storm, 461364);
// In which posts are reported just after reports of them were upheld.
projectionContract(moderationProjection, history, 1011);
// In which two acceptances of an answer overlap: the second one makes rows of both.
projectionContract(historyProjection, history, 253121);
// In which somebody who had changed their phone is erased: whether it was verified is told by what is sealed.
projectionContract(studentsProjection, storm, 463727);
