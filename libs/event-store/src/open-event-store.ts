import type { EventStoreDbEventStore, EventStoreDbOptions } from './eventstoredb/eventstoredb-event-store.js';
import type { ReachabilityNews } from './eventstoredb/reachability.js';
import type { EventStore } from './port.js';
import { PostgresEventStore } from './postgres/postgres-event-store.js';

export interface EventStoreConfiguration {
  /** An EventStoreDB or KurrentDB connection string; the PostgreSQL log is used without it. */
  readonly eventStoreUrl?: string | undefined;
  /** On an EventStoreDB: what the names of the product's streams begin with. */
  readonly streamPrefixes?: readonly string[];
  /** On an EventStoreDB: within which time everything is answered or refused; ten seconds unless given. */
  readonly answersWithinMs?: number | undefined;
  /** On an EventStoreDB: told when the server is away and when it is back. */
  readonly news?: ReachabilityNews;
  readonly databaseUrl: string;
  /** Straight to the server where `databaseUrl` leads to a pooler. */
  readonly databaseDirectUrl?: string | undefined;
  /** Where the product keeps snapshots of streams in that database: see `PostgresEventStoreOptions`. */
  readonly snapshotTable?: string;
  /** Of the process, as pg_stat_activity shows it; the store's own connections go on from there. */
  readonly name?: string;
}

export async function openEventStore(configuration: EventStoreConfiguration): Promise<EventStore> {
  const { eventStoreUrl, databaseUrl, databaseDirectUrl, snapshotTable, name } = configuration;
  if (eventStoreUrl !== undefined) {
    const { streamPrefixes, answersWithinMs, news } = configuration;
    return openEventStoreDb({
      connectionString: eventStoreUrl,
      streamPrefixes,
      news,
      ...(answersWithinMs !== undefined && { deadlineMs: answersWithinMs }),
    });
  }
  return new PostgresEventStore({
    pool: databaseUrl,
    directUrl: databaseDirectUrl ?? databaseUrl,
    ...(name !== undefined && { name }),
    ...(snapshotTable !== undefined && { snapshotTable }),
  });
}

/** Its client is loaded for whoever has one: gRPC and its messages are more than all the rest of this package. */
export async function openEventStoreDb(options: EventStoreDbOptions): Promise<EventStoreDbEventStore> {
  const { EventStoreDbEventStore: Store } = await import('./eventstoredb/eventstoredb-event-store.js');
  return new Store(options);
}
