export { type LargeReadSide, openLargeReadSide } from './testing/large-read-side.fixture.js';
export { Past } from './testing/past.fixture.js';
export { createProjectedDatabase } from './testing/projected-database.js';
export { openReadSide, type ReadSide } from './testing/read-side.fixture.js';
