import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Client, Pool, PoolClient } from 'pg';
import { createTestDatabase, type TestDatabase } from '@nimo/testing';
import { newClient, openPool } from './connections.js';

let database: TestDatabase;
let pool: Pool;

async function end(client: Client | PoolClient): Promise<void> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
  // Not `once` of node:events, which listens for the error, too.
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

describe('connections that break', () => {
  // Whoever holds one has no statement under way that could fail; an error without a listener is a fault that nobody caught.
  it('leave the process alone while somebody holds them, and are replaced', async () => {
    const client = await pool.connect();
    await end(client);
    await expect(client.query('select')).rejects.toThrow('not queryable');
    client.release();
    await expect(pool.query('select 1 as one')).resolves.toMatchObject({ rows: [{ one: 1 }] });
  });

  it('leave the process alone without a pool', async () => {
    const client = newClient({ connectionString: database.url });
    await client.connect();
    await end(client);
    await expect(client.query('select')).rejects.toThrow('not queryable');
  });
});
