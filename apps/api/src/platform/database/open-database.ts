import type { Settings } from '../config/load-settings.js';
import { attachEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';
import { migrate } from './migrate.js';

export interface Database {
  readonly url: string;
  /** Past any pooler: for LISTEN, session locks and migrations. */
  readonly directUrl: string;
  /** After the pools are closed: the last process out stops the embedded server. */
  close(): Promise<void>;
}

/** The configured PostgreSQL, or the embedded one of the data folder; migrated either way. */
export async function openDatabase(
  settings: Pick<Settings, 'databaseUrl' | 'databaseDirectUrl' | 'dataDir'>,
): Promise<Database> {
  const { databaseUrl, databaseDirectUrl, dataDir } = settings;
  if (databaseUrl !== undefined) {
    const directUrl = databaseDirectUrl ?? databaseUrl;
    await migrate(directUrl);
    return { url: databaseUrl, directUrl, close: () => Promise.resolve() };
  }
  const server = await attachEmbeddedPostgres({ dataFolder: dataDir });
  try {
    await migrate(server.url());
  } catch (error) {
    await server.detach();
    throw error;
  }
  return { url: server.url(), directUrl: server.url(), close: () => server.detach() };
}
