import { once } from 'node:events';
import { pipeline } from 'node:stream/promises';
import { Readable } from 'node:stream';
import { projections } from '@nimo/projections';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import {
  createIndexSql,
  createTableSql,
  generationTable,
  tableShapes,
  type TableShape,
} from '../../libs/projection-engine/src/storage/table-shape.js';
import type { Runtime } from '../../apps/api/src/platform/runtime/runtime.js';

/** A generation number that no projection uses. */
const FLOOR_GENERATION = 999_999;

interface FilledTable {
  readonly shape: TableShape;
  readonly rows: Buffer;
}

/**
 * Seconds to rebuild these projections without folding events: reads and decodes the log once, while another connection copies the live rows as
 * raw bytes into tables with primary keys, then creates the indexes.
 */
export async function secondsOfBareRebuild(
  { pool }: Runtime,
  names: readonly string[],
  read: () => Promise<unknown>,
): Promise<number> {
  // Not the product's pool, which pipelines statements: COPY works in both directions here.
  const client = new pg.Client({ connectionString: pool.options.connectionString });
  await client.connect();
  try {
    const tables: FilledTable[] = [];
    for (const name of names) tables.push(...(await liveTables(client, name)));
    const start = performance.now();
    await Promise.all([read(), fill(client, tables)]);
    for (const { shape } of tables)
      for (const statement of createIndexSql(shape, FLOOR_GENERATION)) await client.query(statement);
    return (performance.now() - start) / 1000;
  } finally {
    const made = await client.query<{ name: string }>(
      `select oid::regclass::text as name from pg_class where relkind = 'r' and relname like $1`,
      [`%\\_\\_g${FLOOR_GENERATION}`],
    );
    for (const { name } of made.rows) await client.query(`drop table ${name}`);
    await client.end();
  }
}

async function liveTables(client: pg.Client, name: string): Promise<FilledTable[]> {
  const projection = projections.find((each) => each.name === name);
  const { rows } = await client.query<{ generation: number }>(
    `select generation from read.projection_generations where name = $1 and status = 'live'`,
    [name],
  );
  const generation = rows[0]?.generation;
  if (!projection || generation === undefined) throw new Error(`${name} is not live`);
  const tables: FilledTable[] = [];
  for (const shape of tableShapes(projection))
    tables.push({ shape, rows: await rowsOf(client, shape, generation) });
  return tables;
}

const columnsOf = ({ columns }: TableShape): string =>
  Object.keys(columns)
    .map((column) => `"${column}"`)
    .join(', ');

async function rowsOf(client: pg.Client, shape: TableShape, generation: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  const stream = client.query(
    copyTo(`copy ${generationTable(shape.name, generation)} (${columnsOf(shape)}) to stdout`),
  );
  stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(stream, 'end');
  return Buffer.concat(chunks);
}

async function fill(client: pg.Client, tables: readonly FilledTable[]): Promise<void> {
  for (const { shape, rows } of tables) {
    await client.query(createTableSql(shape, FLOOR_GENERATION));
    const into = client.query(
      copyFrom(`copy ${generationTable(shape.name, FLOOR_GENERATION)} (${columnsOf(shape)}) from stdin`),
    );
    await pipeline(Readable.from([rows]), into);
  }
}
