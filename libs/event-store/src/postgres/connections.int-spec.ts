import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client, Pool, PoolClient } from 'pg';
import { createTestDatabase, type TestDatabase } from '@nimo/testing';
import { newClient, openPool } from './connections.js';

let database: TestDatabase;
let pool: Pool;

async function end(client: Client | PoolClient): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  // Not `once` of node:events, which also handles errors.
  const gone = new Promise((resolve) => client.once('end', resolve));
  await database.pool().query('select pg_terminate_backend($1)', [rows[0]?.pid]);
  await gone;
}

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openPool({ connectionString: database.url, max: 1 });
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

describe('broken connections', () => {
  // No query is in progress that could fail, and an unhandled 'error' event would end the process.
  it('do not crash the process while in use, and are replaced', async () => {
    const client = await pool.connect();
    await end(client);
    await expect(client.query('select')).rejects.toThrow('not queryable');
    client.release();
    await expect(pool.query('select 1 as one')).resolves.toMatchObject({ rows: [{ one: 1 }] });
  });

  it('do not crash the process without a pool', async () => {
    const client = newClient({ connectionString: database.url });
    await client.connect();
    await end(client);
    await expect(client.query('select')).rejects.toThrow('not queryable');
  });
});
