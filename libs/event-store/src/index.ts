export * from './port.js';
export { EventStoreDbEventStore, type EventStoreDbOptions } from './eventstoredb/eventstoredb-event-store.js';
export {
  type CommandResult,
  ConcurrencyError,
  type DecidedEvent,
  type Decision,
  handleCommand,
  type HandleCommandOptions,
  type LoadedStreams,
} from './handle-command.js';
export { type EventStoreConfiguration, openEventStore } from './open-event-store.js';
export { PostgresEventStore, type PostgresEventStoreOptions } from './postgres/postgres-event-store.js';
export { LOG_CHANNEL, LOG_SCHEMA_SQL } from './postgres/schema.js';
export { APPEND_LIMITS } from './prepare-append.js';
export { withCodec } from './with-codec.js';
