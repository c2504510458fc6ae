import type { EventStoreDbEventStore, EventStoreDbOptions } from './eventstoredb/eventstoredb-event-store.js';
import type { AvailabilityListener } from './eventstoredb/availability.js';
import type { EventStore } from './port.js';
import { PostgresEventStore } from './postgres/postgres-event-store.js';

export interface EventStoreConfiguration {
  /** EventStoreDB or KurrentDB connection string. Without it, the log is in PostgreSQL. */
  readonly eventStoreUrl?: string | undefined;
  /** EventStoreDB only: prefixes of the product's stream names. */
  readonly streamPrefixes?: readonly string[];
  /** EventStoreDB only: deadline of each call. Defaults to 10,000 ms. */
  readonly deadlineMs?: number | undefined;
  /** EventStoreDB only: called when the server becomes unavailable and when it recovers. */
  readonly availabilityListener?: AvailabilityListener;
  readonly databaseUrl: string;
  /** Bypasses the pooler if `databaseUrl` goes through one. */
  readonly databaseDirectUrl?: string | undefined;
  /** Table of stream snapshots in that database; see `PostgresEventStoreOptions`. */
  readonly snapshotTable?: string;
  /** Process name; prefix of `application_name` in pg_stat_activity. */
  readonly name?: string;
}

export async function openEventStore(configuration: EventStoreConfiguration): Promise<EventStore> {
  const { eventStoreUrl, databaseUrl, databaseDirectUrl, snapshotTable, name } = configuration;
  if (eventStoreUrl !== undefined) {
    const { streamPrefixes } = configuration;
    return openEventStoreDb({
      connectionString: eventStoreUrl,
      streamPrefixes,
      availabilityListener: configuration.availabilityListener,
      ...(configuration.deadlineMs !== undefined && { deadlineMs: configuration.deadlineMs }),
    });
  }
  return new PostgresEventStore({
    pool: databaseUrl,
    directUrl: databaseDirectUrl ?? databaseUrl,
    ...(name !== undefined && { name }),
    ...(snapshotTable !== undefined && { snapshotTable }),
  });
}

/** Loads the client on demand: gRPC and its messages outweigh the rest of this package. */
export async function openEventStoreDb(options: EventStoreDbOptions): Promise<EventStoreDbEventStore> {
  const { EventStoreDbEventStore: Store } = await import('./eventstoredb/eventstoredb-event-store.js');
  return new Store(options);
}
