import { newClient } from '@nimo/event-store';
import { SettingsError } from '../config/settings-error.js';
import { ensureJobSchema } from './job-schema.js';
import { assertNotNewer, isUpToDate, migrate } from './migrate.js';
import { areRolesUpToDate, grantRoles } from './roles.js';

/** Key of the session lock under which exactly one process prepares; "nimop" in ASCII. */
const PREPARE_LOCK = 0x6e_69_6d_6f_70;

/**
 * Brings the database to this version as its owner: schema, the queues' tables, and what the roles of api and worker may.
 * Processes that start together wait for each other; a pooler must not stand in between.
 */
export async function prepareDatabase(ownerUrl: string): Promise<void> {
  const guard = newClient({ connectionString: ownerUrl, application_name: 'nimo preparation' });
  await guard.connect();
  try {
    await guard.query('SELECT pg_advisory_lock($1)', [PREPARE_LOCK]);
    await assertNotNewer(guard);
    if ((await isUpToDate(guard)) && (await areRolesUpToDate(guard))) return;
    await migrate(ownerUrl);
    await ensureJobSchema(guard);
    await grantRoles(guard);
  } finally {
    // Ends the lock with the session.
    await guard.end();
  }
}

/**
 * For a process that has no owner's address: migrates where its own role may, as with one role for everything.
 *
 * @throws {SettingsError} where the database is older than this version and the role may not change that
 */
export async function migrateAsSelf(directUrl: string): Promise<void> {
  const client = newClient({ connectionString: directUrl, application_name: 'nimo migrations' });
  await client.connect();
  let mayMigrate: boolean;
  try {
    await assertNotNewer(client);
    if (await isUpToDate(client)) return;
    const { rows } = await client.query<{ may: boolean }>(
      `SELECT has_database_privilege(current_database(), 'CREATE') AS may`,
    );
    mayMigrate = rows[0]?.may === true;
  } finally {
    await client.end();
  }
  if (!mayMigrate)
    throw new SettingsError(
      'The database is not at this version and this role may not change that: set DATABASE_OWNER_URL, or run nimo database prepare with it first.',
    );
  await migrate(directUrl);
}
