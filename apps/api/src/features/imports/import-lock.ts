import { newClient } from '@nimo/event-store';
import pg from 'pg';
import { connectionName } from '../../platform/database/pool.js';
import type { Runtime } from '../../platform/runtime/runtime.js';
import { ImportError } from './import-error.js';
import { isRemoved } from './import-space.js';

const MAX_WAIT_MS = 10_000;
/** PostgreSQL's lock_not_available. */
const TIMED_OUT = '55P03';
const IN_USE = 'This import is running, or is being removed. Try again when that has ended.';

/**
 * Works on an import while nothing else does, in whatever process. The lock belongs to a session, so it ends with the process however that
 * ends.
 *
 * @throws ImportError where another holds the lock and does not end soon
 */
export async function withImportLock<Result>(
  { settings }: Pick<Runtime, 'settings'>,
  spaceId: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = newClient({
    connectionString: settings.databaseDirectUrl ?? settings.databaseUrl,
    application_name: connectionName('cli', 'import lock'),
    keepAlive: true,
    lock_timeout: MAX_WAIT_MS,
  });
  await client.connect();
  try {
    await lock(client, spaceId);
    return await work();
  } finally {
    await client.end();
  }
}

/** @throws ImportError also where the import was removed before the lock was free */
export const importLocked = <Result>(
  runtime: Pick<Runtime, 'settings' | 'store'>,
  spaceId: string,
  work: () => Promise<Result>,
): Promise<Result> =>
  withImportLock(runtime, spaceId, async () => {
    if (await isRemoved(runtime.store, spaceId)) throw new ImportError(IN_USE);
    return work();
  });

async function lock(client: pg.Client, spaceId: string): Promise<void> {
  try {
    await client.query('select pg_advisory_lock(hashtextextended($1, 0))', [`nimo import ${spaceId}`]);
  } catch (error) {
    if (error instanceof pg.DatabaseError && error.code === TIMED_OUT) throw new ImportError(IN_USE);
    throw error;
  }
}
