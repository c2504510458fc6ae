import { newClient } from '@nimo/event-store';
import type pg from 'pg';
import { migrations } from './migrations.js';

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
    await guard.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    if (await isUpToDate(guard)) return [];
    await guard.query('CREATE SCHEMA IF NOT EXISTS state');
    return await applyPending(directUrl);
  } finally {
    // Ends the lock with the session.
    await guard.end();
  }
}

/** Spares an ordinary start the reflection that TypeORM does before it looks. */
export async function isUpToDate(client: Pick<pg.Pool, 'query'>): Promise<boolean> {
  const { rows } = await client.query<{ exists: boolean }>(
    `SELECT to_regclass('state.migrations') IS NOT NULL AS exists`,
  );
  if (rows[0]?.exists !== true) return false;
  const applied = await client.query<{ name: string }>('SELECT name FROM state.migrations');
  const names = new Set(applied.rows.map(({ name }) => name));
  return migrations.every(({ name }) => names.has(name));
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
