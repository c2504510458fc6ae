import { newClient } from '@nimo/event-store';
import type pg from 'pg';
import { SettingsError } from '../config/settings-error.js';
import { PRODUCT_VERSION } from '../config/version.js';
import { migrations } from './migrations.js';
import { ensureJobSchema } from './job-schema.js';
import { areRolesUpToDate, grantRoles } from './roles.js';

/** Key of the session lock under which exactly one process migrates; "nimom" in ASCII. */
const MIGRATION_LOCK = 0x6e_69_6d_6f_6d;

/**
 * Brings the database to this version's schema and answers the names of the migrations that were applied.
 * Processes that start together wait for each other; a pooler must not stand in between.
 */
export async function migrate(directUrl: string): Promise<string[]> {
  const guard = newClient({ connectionString: directUrl, application_name: 'nimo migrations' });
  await guard.connect();
  try {
    await guard.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
    if (await isUpToDate(guard)) return [];
    await guard.query('create schema if not exists state');
    return await applyPending(directUrl);
  } finally {
    // Ends the lock with the session.
    await guard.end();
  }
}

/** Spares an ordinary start the reflection that TypeORM does before it looks. */
export async function isUpToDate(client: Queries): Promise<boolean> {
  const names = await appliedTo(client);
  return migrations.every(({ name }) => names.has(name));
}

/**
 * A former version would serve what it can still read, and neither know what newer ones wrote nor keep to what they promised.
 * Only a start looks: processes of both versions work on one database while they are replaced.
 *
 * @throws {SettingsError} where a newer version was here
 */
async function assertNotNewer(client: Queries): Promise<void> {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = [...(await appliedTo(client))].filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new SettingsError(
    `A newer version of Nimo was here: ${unknown.length} changes of the database are unknown to this one (${PRODUCT_VERSION}), as ${unknown.at(-1)}. Start the newer version, or restore the back-up of before it into a new database with this one (docs/upgrading.md). Nothing was changed.`,
  );
}

type Queries = Pick<pg.Pool, 'query'>;

async function appliedTo(client: Queries): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('state.migrations') is not null as exists`,
  );
  if (rows[0]?.exists !== true) return new Set();
  const applied = await client.query<{ name: string }>('select name from state.migrations order by id');
  return new Set(applied.rows.map(({ name }) => name));
}

async function applyPending(url: string): Promise<string[]> {
  // Loaded only when there is something to do: it costs an ordinary start a noticeable time.
  const { DataSource } = await import('typeorm');
  const dataSource = new DataSource({
    type: 'postgres',
    url,
    schema: 'state',
    migrations: [...migrations],
    migrationsTableName: 'migrations',
    poolSize: 2,
    logging: ['error'],
  });
  await dataSource.initialize();
  try {
    const applied = await dataSource.runMigrations({ transaction: 'each' });
    return applied.map(({ name }) => name);
  } finally {
    await dataSource.destroy();
  }
}

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
    await guard.query('select pg_advisory_lock($1)', [PREPARE_LOCK]);
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
      `select has_database_privilege(current_database(), 'CREATE') as may`,
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
