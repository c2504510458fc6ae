import { createHash, type Hash } from 'node:crypto';
import type { Pool } from 'pg';
import type { ColumnValue, Projection, Row } from '../projection.js';
import { READ_TYPES } from './column-values.js';
import type { Queryable } from './table-statements.js';
import { generationTable, type TableShape, tableShapes } from './table-shape.js';
import { inTransaction } from './transaction.js';

/** Small enough not to block the event loop. */
const FETCH_SIZE = 1000;

/** One snapshot of all tables, so that the hash belongs to one checkpoint. */
export const BEGIN_SNAPSHOT = 'begin isolation level repeatable read read only';

/** SHA-256 of all rows of a generation, independent of their order, batches and generation number. */
export async function canonicalHash(pool: Pool, projection: Projection, generation: number): Promise<string> {
  return inTransaction(
    pool,
    async (client) => {
      await lockTables(client, projection, generation);
      return hashTables(client, projection, generation);
    },
    BEGIN_SNAPSHOT,
  );
}

/**
 * Locks the tables against replacement. Call it before the first query of the transaction, which takes the snapshot: otherwise a table
 * created later would be found under the same name, with rows that the snapshot cannot see. A process that finds the lock exchanges rows instead.
 */
export async function lockTables(
  client: Queryable,
  projection: Projection,
  ...generations: readonly number[]
): Promise<void> {
  const names = tableShapes(projection).flatMap(({ name }) =>
    generations.map((generation) => generationTable(name, generation)),
  );
  await client.query(`lock table ${names.join(', ')} in access share mode`);
}

/** Must run in a transaction. */
export async function hashTables(
  client: Queryable,
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

async function hashTable(
  client: Queryable,
  shape: TableShape,
  generation: number,
  hash: Hash,
): Promise<void> {
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
      text: `fetch ${FETCH_SIZE} from canonical_rows`,
      types: READ_TYPES,
    });
    for (const row of rows) hash.update(canonicalJson(columns.map((column) => row[column] ?? null)) + '\n');
    if (rows.length < FETCH_SIZE) break;
  }
  await client.query('close canonical_rows');
}

/** JSON with sorted object keys. */
function canonicalJson(value: ColumnValue | readonly ColumnValue[]): string {
  return JSON.stringify(value, (_, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1)))
      : item,
  );
}

/** Across all tables. */
const MAX_NAMED_ROWS = 20;

/**
 * How a row of the live generation differs from the rebuilt one.
 * - MISSING: exists only in the rebuilt generation
 * - SURPLUS: exists only in the live generation
 * - CHANGED: has different values
 */
type RowFault = 'MISSING' | 'SURPLUS' | 'CHANGED';

/** Keep it out of the log: the key may reveal who voted or reported. */
export interface DifferingRow {
  readonly table: string;
  readonly key: Readonly<Record<string, string | number>>;
  readonly fault: RowFault;
  /** Columns that differ; empty unless the row is CHANGED. */
  readonly columns: readonly string[];
}

/** Stored in the log. */
export type TableDifference = {
  readonly table: string;
  readonly rows: number;
};

export interface Differences {
  /** Only tables that differ. */
  readonly tables: readonly TableDifference[];
  /** The first rows of each table by key, at most 20 in total. */
  readonly named: readonly DifferingRow[];
}

/** Must run in a transaction that sees both generations at the same checkpoint. */
export async function findDifferences(
  client: Queryable,
  projection: Projection,
  { live, rebuilt }: { readonly live: number; readonly rebuilt: number },
): Promise<Differences> {
  const tables: TableDifference[] = [];
  const named: DifferingRow[] = [];
  for (const shape of tableShapes(projection)) {
    const { rows } = await client.query<Row & { fault: RowFault; columns: string[]; total: number }>({
      text: differencesSql(shape, { live, rebuilt }),
      values: [Math.max(1, MAX_NAMED_ROWS - named.length)],
      types: READ_TYPES,
    });
    const [first] = rows;
    if (first === undefined) continue;
    tables.push({ table: shape.name, rows: first.total });
    for (const { fault, columns, ...row } of rows) {
      if (named.length === MAX_NAMED_ROWS) break;
      const key = Object.fromEntries(
        shape.key.map((column) => [column, row[`key_${column}`] as string | number]),
      );
      named.push({ table: shape.name, key, fault, columns: fault === 'CHANGED' ? columns : [] });
    }
  }
  return { tables, named };
}

function differencesSql(
  { name, columns, key }: TableShape,
  { live, rebuilt }: { readonly live: number; readonly rebuilt: number },
): string {
  const all = Object.keys(columns);
  const [first = ''] = key;
  const list = (side: string): string => all.map((column) => `${side}."${column}"`).join(', ');
  const keys = key.map((column) => `coalesce(l."${column}", r."${column}") as "key_${column}"`);
  const order = key.map(
    (column) => `"key_${column}"${columns[column]?.type === 'text' ? ' collate "C"' : ''}`,
  );
  const changed = all.map(
    (column) => `case when l."${column}" is distinct from r."${column}" then '${column}' end`,
  );
  return `select * from (
      select ${keys.join(', ')},
        case when l."${first}" is null then 'MISSING' when r."${first}" is null then 'SURPLUS' else 'CHANGED' end as fault,
        array_remove(array[${changed.join(', ')}], null) as columns,
        count(*) over () as total
      from ${generationTable(name, live)} l
      full join ${generationTable(name, rebuilt)} r
        on ${key.map((column) => `l."${column}" = r."${column}"`).join(' and ')}
      where (${list('l')}) is distinct from (${list('r')})
    ) as differing
    order by ${order.join(', ')} limit $1`;
}
