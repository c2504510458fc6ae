import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Pool, PoolClient } from 'pg';
import { createTestDatabase, type TestDatabase } from '@nimo/testing';
import type { Row } from '../projection.js';
import { copyRows } from './table-statements.js';

const COLUMNS = [
  { name: 'id', type: 'integer' },
  { name: 'body', type: 'text' },
] as const;

describe('copied rows', () => {
  let database: TestDatabase;
  let pool: Pool;
  let client: PoolClient;
  beforeAll(async () => {
    database = await createTestDatabase();
    pool = database.pool();
    client = await pool.connect();
    await client.query('create table copied (id integer primary key, body text)');
  });
  afterAll(async () => {
    client.release();
    await database.drop();
  });

  const rowsOf = (from: number, to: number): Row[] =>
    Array.from({ length: to - from }, (_, index) => ({
      id: from + index,
      body: `\\N\t${'é'.repeat(index % 300)}`,
    }));

  it('are stored completely, and the connection pipelines again', async () => {
    await client.query('begin');
    await copyRows(client, 'copied', COLUMNS, rowsOf(0, 5_000));
    const answers = await Promise.all([
      client.query<Row>('select body from copied where id = 299'),
      client.query<Row>('select count(*)::int as n from copied'),
      client.query('commit'),
    ]);
    expect(answers[0].rows).toEqual([rowsOf(0, 300)[299]].map((row) => ({ body: row?.['body'] })));
    expect(answers[1].rows).toEqual([{ n: 5_000 }]);
  });

  it.each([
    ['a duplicate key', [{ id: 1, body: null }], '23505'],
    ['a value out of range', [...rowsOf(10_000, 30_000), { id: 2 ** 40, body: 'large' }], '22003'],
  ] as const)('are all rejected because of %s', async (_, rows, code) => {
    await client.query('begin');
    await expect(copyRows(client, 'copied', COLUMNS, rows)).rejects.toMatchObject({ code });
    const [, answer] = await Promise.all([
      client.query('rollback'),
      client.query<Row>('select max(id) as id from copied'),
    ]);
    expect(answer.rows).toEqual([{ id: 4_999 }]);
  });
});
