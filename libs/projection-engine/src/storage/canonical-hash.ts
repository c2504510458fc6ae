import { createHash, type Hash } from 'node:crypto';
import type { Pool } from 'pg';
import type { ColumnValue, Projection, Row } from '../projection.js';
import { READ_TYPES } from './column-values.js';
import type { Querying } from './table-statements.js';
import { generationTable, type TableShape, tableShapes } from './table-shape.js';
import { inTransaction } from './transaction.js';

/** Few enough that whatever else the process does gets its turn. */
const FETCH = 1000;

/** One moment of all tables: what is hashed belongs to one checkpoint. */
export const BEGIN_SNAPSHOT = 'begin isolation level repeatable read read only';

/** The same for the same rows, whatever order, batches or generation they came in. */
export async function canonicalHash(pool: Pool, projection: Projection, generation: number): Promise<string> {
  return inTransaction(
    pool,
    async (client) => {
      await keepTables(client, projection, generation);
      return hashTables(client, projection, generation);
    },
    BEGIN_SNAPSHOT,
  );
}

/**
 * Before the transaction's first look, which is when its snapshot is taken: a table that another took the place of meanwhile would
 * be found by its name, with rows that the snapshot does not see. Who wants to replace one sees that it is read, and exchanges rows instead.
 */
export async function keepTables(
  client: Querying,
  projection: Projection,
  ...generations: readonly number[]
): Promise<void> {
  const names = tableShapes(projection).flatMap(({ name }) =>
    generations.map((generation) => generationTable(name, generation)),
  );
  await client.query(`lock table ${names.join(', ')} in access share mode`);
}

/** To be run in a transaction. */
export async function hashTables(
  client: Querying,
  projection: Projection,
  generation: number,
): Promise<string> {
  const hash = createHash('sha256');
  for (const shape of tableShapes(projection)) {
    hash.update(`\n${shape.name}\n`);
    await hashTable(client, shape, generation, hash);
  }
  return hash.digest('hex');
}

async function hashTable(client: Querying, shape: TableShape, generation: number, hash: Hash): Promise<void> {
  const columns = Object.keys(shape.columns);
  const order = shape.key.map(
    (column) => `"${column}"${shape.columns[column]?.type === 'text' ? ' collate "C"' : ''}`,
  );
  await client.query(
    `declare canonical_rows no scroll cursor for select ${columns.map((column) => `"${column}"`).join(', ')}
     from ${generationTable(shape.name, generation)} order by ${order.join(', ')}`,
  );
  for (;;) {
    const { rows } = await client.query<Row>({
      text: `fetch ${FETCH} from canonical_rows`,
      types: READ_TYPES,
    });
    for (const row of rows) hash.update(canonicalJson(columns.map((column) => row[column] ?? null)) + '\n');
    if (rows.length < FETCH) break;
  }
  await client.query('close canonical_rows');
}

/** JSON with the keys of every object in one order. */
function canonicalJson(value: ColumnValue | readonly ColumnValue[]): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}
