export { InMemoryEventStore } from './in-memory/in-memory-event-store.js';
