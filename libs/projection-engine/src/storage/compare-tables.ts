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
 * be found by its name, with rows that the snapshot does not see. A process that wants to replace one sees the lock, and exchanges rows instead.
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

/** Of all tables together: enough to see what is wrong. */
const MAX_NAMED = 20;

/**
 * What is wrong with a row of the live generation.
 * - MISSING: the log makes it, and it is not there
 * - SURPLUS: it is there, and the log does not make it
 * - CHANGED: it is there with other values
 */
type RowFault = 'MISSING' | 'SURPLUS' | 'CHANGED';

/** By its key, which may show who voted or reported: not for the log. */
export interface DifferingRow {
  readonly table: string;
  readonly key: Readonly<Record<string, string | number>>;
  readonly fault: RowFault;
  /** Whose values differ; empty unless it is changed. */
  readonly columns: readonly string[];
}

/** As in the log. */
export type TableDifference = {
  readonly table: string;
  readonly rows: number;
};

export interface Differences {
  /** Tables without any are left out. */
  readonly tables: readonly TableDifference[];
  /** The first ones of each table by key, 20 altogether. */
  readonly named: readonly DifferingRow[];
}

/** To be run in a transaction that sees both generations at one checkpoint. */
export async function findDifferences(
  client: Querying,
  projection: Projection,
  { live, rebuilt }: { readonly live: number; readonly rebuilt: number },
): Promise<Differences> {
  const tables: TableDifference[] = [];
  const named: DifferingRow[] = [];
  for (const shape of tableShapes(projection)) {
    const { rows } = await client.query<Row & { fault: RowFault; columns: string[]; total: number }>({
      text: differencesSql(shape, { live, rebuilt }),
      values: [Math.max(1, MAX_NAMED - named.length)],
      types: READ_TYPES,
    });
    const [first] = rows;
    if (first === undefined) continue;
    tables.push({ table: shape.name, rows: first.total });
    for (const { fault, columns, ...row } of rows) {
      if (named.length === MAX_NAMED) break;
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
