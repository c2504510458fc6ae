import { newClient } from '@nimo/event-store';
import type pg from 'pg';
import { SettingsError } from '../config/settings-error.js';
import { PRODUCT_VERSION } from '../config/version.js';
import { migrations } from './migrations.js';
import { ensureJobSchema } from './job-schema.js';
import { areRolesUpToDate, grantRoles } from './roles.js';

/** Advisory lock key for migrations; "nimom" in ASCII. */
const MIGRATION_LOCK = 0x6e_69_6d_6f_6d;

/**
 * Migrates the database to this version and returns the names of the applied migrations. Concurrent processes wait for each other; the
 * connection must not go through a pooler.
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
    // Releases the lock.
    await guard.end();
  }
}

/** Avoids loading TypeORM on an ordinary start. */
export async function isUpToDate(client: Queryable): Promise<boolean> {
  const names = await appliedMigrations(client);
  return migrations.every(({ name }) => names.has(name));
}

/**
 * An older version would neither understand nor respect what a newer one wrote. Checked only at the start: both versions run during a
 * rolling upgrade.
 *
 * @throws {SettingsError} when a newer version has migrated the database
 */
async function assertNotNewer(client: Queryable): Promise<void> {
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = [...(await appliedMigrations(client))].filter((name) => !known.has(name));
  if (unknown.length === 0) return;
  throw new SettingsError(
    `A newer version of Nimo has migrated this database: ${unknown.length} migrations are unknown to this version (${PRODUCT_VERSION}), such as ${unknown.at(-1)}. Start the newer version, or use this one to restore a backup from before the upgrade into a new database (docs/upgrading.md). Nothing was changed.`,
  );
}

type Queryable = Pick<pg.Pool, 'query'>;

async function appliedMigrations(client: Queryable): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ exists: boolean }>(
    `select to_regclass('state.migrations') is not null as exists`,
  );
  if (rows[0]?.exists !== true) return new Set();
  const applied = await client.query<{ name: string }>('select name from state.migrations order by id');
  return new Set(applied.rows.map(({ name }) => name));
}

async function applyPending(url: string): Promise<string[]> {
  // Loaded on demand: it slows the start down noticeably.
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

/** Advisory lock key for preparation; "nimop" in ASCII. */
const PREPARE_LOCK = 0x6e_69_6d_6f_70;

/**
 * Prepares the database as its owner: schema, queue tables, and the privileges of the API and worker roles. Concurrent processes wait for
 * each other; the connection must not go through a pooler.
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
    // Releases the lock.
    await guard.end();
  }
}

/**
 * Migrates without an owner URL, if the process's own role has the privilege.
 *
 * @throws {SettingsError} when the database is older than this version and the role may not migrate it
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
      'The database needs migrations that this role may not run: set DATABASE_OWNER_URL, or run nimo database prepare with it first.',
    );
  await migrate(directUrl);
}
