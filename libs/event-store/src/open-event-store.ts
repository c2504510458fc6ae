import { EventStoreDbEventStore } from './eventstoredb/eventstoredb-event-store.js';
import type { EventStore } from './port.js';
import { PostgresEventStore } from './postgres/postgres-event-store.js';

export interface EventStoreConfiguration {
  /** An EventStoreDB or KurrentDB connection string; the PostgreSQL log is used without it. */
  readonly eventStoreUrl?: string | undefined;
  readonly databaseUrl: string;
  /** Straight to the server where `databaseUrl` leads to a pooler. */
  readonly databaseDirectUrl?: string | undefined;
}

export function openEventStore(configuration: EventStoreConfiguration): EventStore {
  const { eventStoreUrl, databaseUrl, databaseDirectUrl } = configuration;
  if (eventStoreUrl !== undefined) return new EventStoreDbEventStore({ connectionString: eventStoreUrl });
  return new PostgresEventStore({ pool: databaseUrl, directUrl: databaseDirectUrl ?? databaseUrl });
}
