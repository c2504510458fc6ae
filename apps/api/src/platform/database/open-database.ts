import type { Settings } from '../config/load-settings.js';
import { attachEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';

export interface OpenDatabase {
  /** With the address of the database, embedded or not. */
  readonly settings: Settings & { readonly databaseUrl: string };
  /** After the pools are closed: the last process out stops the embedded server. */
  close(): Promise<void>;
}

/** The configured PostgreSQL, or the embedded one of the data folder. */
export async function openDatabase(settings: Settings): Promise<OpenDatabase> {
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl !== undefined) {
    return { settings: { ...settings, databaseUrl }, close: () => Promise.resolve() };
  }
  const server = await attachEmbeddedPostgres({ dataFolder: dataDir });
  return { settings: { ...settings, databaseUrl: server.url() }, close: () => server.detach() };
}
