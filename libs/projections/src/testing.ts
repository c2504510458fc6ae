export { type LargeReadSide, openLargeReadSide } from './testing/large-read-side.fixture.js';
export { EventHistory } from './testing/event-history.fixture.js';
export { createProjectedDatabase } from './testing/projected-database.js';
export { openReadSide, type ReadSide } from './testing/read-side.fixture.js';
