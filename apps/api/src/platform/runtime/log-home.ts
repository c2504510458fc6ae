import type { ClientBase, Pool } from 'pg';
import { SettingsError } from '../config/settings-error.js';
import type { Settings } from '../config/load-settings.js';

export type LogEngine = 'postgresql' | 'eventstoredb';

const MISSING: Readonly<Record<LogEngine, string>> = {
  eventstoredb:
    'The log of this installation is in EventStoreDB: set EVENTSTORE_URL, or bring the log back with: nimo log copy --from <that address> --to here --switch',
  postgresql:
    'The log of this installation is in its PostgreSQL: unset EVENTSTORE_URL, or move the log with: nimo log copy --from here --to <that address> --switch',
};

/**
 * The first start says where the log is. Setting EVENTSTORE_URL alone would begin a second one, and what follows the log would be lost in
 * it, so any other start says what is missing.
 */
export async function assertLogIsAtHome(
  pool: Pool,
  { eventStoreUrl }: Pick<Settings, 'eventStoreUrl'>,
): Promise<void> {
  const wanted: LogEngine = eventStoreUrl === undefined ? 'postgresql' : 'eventstoredb';
  const home = (await readHome(pool)) ?? (await settle(pool, wanted));
  if (home !== wanted) throw new SettingsError(MISSING[home]);
}

/** Which engine holds the log that the installation of a database writes; undefined before its first start. */
export async function readHome(pool: Pool | ClientBase): Promise<LogEngine | undefined> {
  const { rows } = await pool.query<{ engine: LogEngine }>('SELECT engine FROM state.log_home');
  return rows[0]?.engine;
}

/** Of two first starts one is the first. */
async function settle(pool: Pool, engine: LogEngine): Promise<LogEngine> {
  await pool.query('INSERT INTO state.log_home (engine) VALUES ($1) ON CONFLICT DO NOTHING', [engine]);
  return (await readHome(pool)) ?? engine;
}

export async function moveHome(client: ClientBase, engine: LogEngine): Promise<void> {
  await client.query(
    'INSERT INTO state.log_home (engine) VALUES ($1) ON CONFLICT (is_only) DO UPDATE SET engine = excluded.engine',
    [engine],
  );
}
