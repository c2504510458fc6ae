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
  const { rows } = await pool.query<{ engine: LogEngine }>('select engine from state.log_home');
  return rows[0]?.engine;
}

/** Of two first starts one is the first. */
async function settle(pool: Pool, engine: LogEngine): Promise<LogEngine> {
  await pool.query('insert into state.log_home (engine) values ($1) on conflict do nothing', [engine]);
  return (await readHome(pool)) ?? engine;
}

export async function moveHome(client: ClientBase, engine: LogEngine): Promise<void> {
  await client.query(
    'insert into state.log_home (engine) values ($1) on conflict (is_only) do update set engine = excluded.engine',
    [engine],
  );
}

/** Of which back-up a restore was begun that is not at its end. */
export async function unfinishedRestore(pool: Pool): Promise<Date | undefined> {
  const { rows } = await pool.query<{ at: Date }>('select made_at as at from state.unfinished_restore');
  return rows[0]?.at;
}

export async function restoreIsDone(pool: Pool): Promise<void> {
  await pool.query('delete from state.unfinished_restore');
}

/**
 * Until the erasures are done again, names would be shown of people who are not to be known any more.
 * @throws {SettingsError} while a restore is not at its end
 */
export async function assertRestoreIsDone({ pool }: { readonly pool: Pool }): Promise<void> {
  const madeAt = await unfinishedRestore(pool);
  if (madeAt === undefined) return;
  throw new SettingsError(
    `A restore of the back-up of ${madeAt.toISOString()} was begun here and did not end. Run "nimo restore" with the same back-up: it goes on from there.`,
  );
}
