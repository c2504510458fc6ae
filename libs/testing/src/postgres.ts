import { randomUUID } from 'node:crypto';
import { newClient, openPool } from '@nimo/event-store';
import type pg from 'pg';

export interface TestDatabase {
  readonly name: string;
  /** As the owner of everything. */
  readonly url: string;
  /** As a role of the product's processes. */
  urlAs(role: string): string;
  /** One pool a database; ended by `drop`. */
  pool(): pg.Pool;
  drop(): Promise<void>;
}

const TEMPLATE = 'nimo_template';

/**
 * A database of its own with the whole migrated schema, for one spec file. Call `drop` in `afterAll`.
 * @param template another database to copy, to which nobody is connected
 */
export async function createTestDatabase(template = TEMPLATE): Promise<TestDatabase> {
  const adminUrl = process.env['NIMO_TEST_ADMIN_URL'];
  if (adminUrl === undefined)
    throw new Error('NIMO_TEST_ADMIN_URL is not set: the global set-up of this suite did not run.');
  const name = `nimo_test_${randomUUID().replaceAll('-', '')}`;
  // Copied as files: written through the log, as is usual, the ten megabytes cost six times as much.
  await asAdmin(adminUrl, `create database ${name} template ${template} strategy file_copy`);
  const url = urlOf(adminUrl, name);
  let pool: pg.Pool | undefined;
  return {
    name,
    url,
    urlAs: (role) => {
      const other = new URL(url);
      other.username = role;
      return other.href;
    },
    pool: () => (pool ??= openPool({ connectionString: url, max: 10, pipeline: true })),
    drop: async () => {
      await pool?.end();
      await asAdmin(adminUrl, `drop database ${name} with (force)`);
    },
  };
}

function urlOf(adminUrl: string, database: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${database}`;
  return url.href;
}

async function asAdmin(adminUrl: string, statement: string): Promise<void> {
  const client = newClient({ connectionString: adminUrl });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
