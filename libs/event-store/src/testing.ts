export { type ContractLog, type HeldAppend, type Trait } from './contract.js';
export { InMemoryEventStore } from './in-memory/in-memory-event-store.js';
export { EventStoreDbDouble } from './eventstoredb/testing/eventstoredb-double.js';
export { EndingStore, waitForQueries, waitEventLoopTurns } from './testing/ending-store.js';
