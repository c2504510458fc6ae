import type { ClientBase, Pool } from 'pg';
import { SettingsError } from '../config/settings-error.js';
import type { Settings } from '../config/load-settings.js';

export type LogEngine = 'postgresql' | 'eventstoredb';

const WRONG_ENGINE: Readonly<Record<LogEngine, string>> = {
  eventstoredb:
    'The event log of this installation is in EventStoreDB: set EVENTSTORE_URL, or move the log back with: nimo log copy --from <its URL> --to here --switch',
  postgresql:
    'The event log of this installation is in PostgreSQL: unset EVENTSTORE_URL, or move the log with: nimo log copy --from here --to <its URL> --switch',
};

/**
 * The first start records which engine holds the log. Changing EVENTSTORE_URL later would start a second, empty log that projections
 * cannot follow, so the start fails.
 *
 * @throws SettingsError when the configured engine is not the recorded one
 */
export async function assertLogEngine(
  pool: Pool,
  { eventStoreUrl }: Pick<Settings, 'eventStoreUrl'>,
): Promise<void> {
  const configured: LogEngine = eventStoreUrl === undefined ? 'postgresql' : 'eventstoredb';
  const engine = (await readLogEngine(pool)) ?? (await recordLogEngine(pool, configured));
  if (engine !== configured) throw new SettingsError(WRONG_ENGINE[engine]);
}

/** The engine that holds this installation's log; undefined before the first start. */
export async function readLogEngine(
  pool: Pool | ClientBase,
  table: 'state.log_engine' | 'state.log_home' = 'state.log_engine',
): Promise<LogEngine | undefined> {
  const { rows } = await pool.query<{ engine: LogEngine }>(`select engine from ${table}`);
  return rows[0]?.engine;
}

/** The first of two concurrent first starts wins. */
async function recordLogEngine(pool: Pool, engine: LogEngine): Promise<LogEngine> {
  await pool.query('insert into state.log_engine (engine) values ($1) on conflict do nothing', [engine]);
  return (await readLogEngine(pool)) ?? engine;
}

export async function writeLogEngine(client: ClientBase, engine: LogEngine): Promise<void> {
  await client.query(
    'insert into state.log_engine (engine) values ($1) on conflict (is_only) do update set engine = excluded.engine',
    [engine],
  );
}

/** Creation time of the backup whose restore is unfinished. */
export async function unfinishedRestore(pool: Pool): Promise<Date | undefined> {
  const { rows } = await pool.query<{ at: Date }>('select made_at as at from state.unfinished_restore');
  return rows[0]?.at;
}

export async function completeRestore(pool: Pool): Promise<void> {
  await pool.query('delete from state.unfinished_restore');
}

/**
 * Prevents the start during a restore: until erasures are repeated, erased students' data would be visible.
 * @throws {SettingsError} while a restore is unfinished
 */
export async function assertRestoreComplete({ pool }: { readonly pool: Pool }): Promise<void> {
  const madeAt = await unfinishedRestore(pool);
  if (madeAt === undefined) return;
  throw new SettingsError(
    `The restore of the backup from ${madeAt.toISOString()} is unfinished. Run "nimo restore" with the same backup to resume it.`,
  );
}
