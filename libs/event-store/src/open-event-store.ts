import { EventStoreDbEventStore } from './eventstoredb/eventstoredb-event-store.js';
import type { EventStore } from './port.js';
import { PostgresEventStore } from './postgres/postgres-event-store.js';

export interface EventStoreConfiguration {
  /** An EventStoreDB or KurrentDB connection string; the PostgreSQL log is used without it. */
  readonly eventStoreUrl?: string | undefined;
  /** On an EventStoreDB: what the names of the product's streams begin with. */
  readonly streamPrefixes?: readonly string[];
  readonly databaseUrl: string;
  /** Straight to the server where `databaseUrl` leads to a pooler. */
  readonly databaseDirectUrl?: string | undefined;
  /** Where the product keeps snapshots of streams in that database: see `PostgresEventStoreOptions`. */
  readonly snapshotTable?: string;
  /** Of the process, as pg_stat_activity shows it; the store's own connections go on from there. */
  readonly name?: string;
}

export function openEventStore(configuration: EventStoreConfiguration): EventStore {
  const { eventStoreUrl, streamPrefixes, databaseUrl, databaseDirectUrl, snapshotTable, name } =
    configuration;
  if (eventStoreUrl !== undefined)
    return new EventStoreDbEventStore({ connectionString: eventStoreUrl, streamPrefixes });
  return new PostgresEventStore({
    pool: databaseUrl,
    directUrl: databaseDirectUrl ?? databaseUrl,
    ...(name !== undefined && { name }),
    ...(snapshotTable !== undefined && { snapshotTable }),
  });
}
