import type { BatchEnd } from '../projection.js';

type Sql = Parameters<BatchEnd['run']>[1];
type OwnTable = BatchEnd['tables'][number];

/** A waiting exclusive lock blocks all later readers, so each attempt is short and retried. */
const LOCK_TIMEOUT = '25ms';
/** How long to retry while a long transaction, such as a backup, holds the lock. */
const SWAP_TIMEOUT_MS = 3_000;
const PAUSE_SECONDS = 0.05;

/** Name of the replacement table, which exists only within the transaction. */
export const nextTable = ({ name }: OwnTable): string => `{${name}}_next`;

/**
 * Replaces the tables with their filled replacements. If the locks are not available in time, it replaces the rows instead: also
 * atomic and without blocking readers, but dead rows remain until a vacuum.
 */
export async function swapTables(sql: Sql, tables: readonly OwnTable[]): Promise<void> {
  for (const table of tables) await addConstraintsAndIndexes(sql, table);
  const isRead = await isLive(sql, tables);
  if (await lockAll(sql, tables, isRead)) {
    for (const table of tables) await swap(sql, table, isRead);
  } else {
    for (const table of tables) await rewrite(sql, table);
  }
}

interface Index {
  readonly name: string;
  readonly definition: string;
  readonly isKey: boolean;
}

async function indexesOf(sql: Sql, { name }: OwnTable): Promise<Index[]> {
  const rows = await sql(
    `select c.relname::text as name, pg_get_indexdef(i.indexrelid) as definition, i.indisprimary as "isKey"
     from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = '{${name}}'::regclass order by c.relname`,
  );
  return rows as unknown as Index[];
}

/** Gives the replacement the constraints and indexes of the table. During a rebuild, that is only the primary key. */
async function addConstraintsAndIndexes(sql: Sql, table: OwnTable): Promise<void> {
  const required = Object.entries(table.columns).filter(([, { nullable }]) => nullable !== true);
  const constraints = required.map(([column]) => `alter column "${column}" set not null`);
  await sql(`alter table ${nextTable(table)} ${constraints.join(', ')}`);
  for (const { name, definition, isKey } of await indexesOf(sql, table)) {
    // pg_get_indexdef returns "CREATE INDEX name ON schema.table USING …".
    const [, kind, rest] = /^(CREATE (?:UNIQUE )?INDEX) \S+ ON \S+ (.*)$/.exec(definition) ?? [];
    if (kind === undefined || rest === undefined)
      throw new TypeError(`Unexpected index definition: ${definition}`);
    await sql(`${kind} ${name}_next on ${nextTable(table)} ${rest}`);
    if (isKey) await sql(`alter table ${nextTable(table)} add primary key using index ${name}_next`);
  }
  await sql(`analyze ${nextTable(table)}`);
}

/** Whether the views read this generation. */
async function isLive(sql: Sql, [first]: readonly OwnTable[]): Promise<boolean> {
  if (!first) return false;
  const { name } = first;
  const rows = await sql(
    `select 1 from pg_depend d join pg_rewrite r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid
     where d.refobjid = '{${name}}'::regclass and r.ev_class = to_regclass('read.${name}') limit 1`,
  );
  return rows.length > 0;
}

/** @returns false if another transaction holds a lock for too long */
async function lockAll(sql: Sql, tables: readonly OwnTable[], isRead: boolean): Promise<boolean> {
  const named = tables.flatMap(({ name }) => (isRead ? [`read.${name}`, `{${name}}`] : [`{${name}}`]));
  const end = performance.now() + SWAP_TIMEOUT_MS;
  for (;;) {
    await sql('savepoint swap');
    await sql(`select set_config('lock_timeout', '${LOCK_TIMEOUT}', true)`);
    try {
      await sql(`lock table ${named.join(', ')} in access exclusive mode`);
      return true;
    } catch (error) {
      if (!isLockedOut(error)) throw error;
    }
    await sql('rollback to savepoint swap');
    if (performance.now() > end) return false;
    await sql(`select pg_sleep(${PAUSE_SECONDS})`);
  }
}

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

const isLockedOut = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === LOCK_NOT_AVAILABLE || error.code === DEADLOCK);

async function swap(sql: Sql, table: OwnTable, isRead: boolean): Promise<void> {
  const { name } = table;
  const columns = Object.keys(table.columns).map((column) => `"${column}"`);
  const indexes = await indexesOf(sql, table);
  const [found] = (await sql(
    `select relname::text as own from pg_class where oid = '{${name}}'::regclass`,
  )) as { readonly own: string }[];
  if (!found) throw new TypeError(`Missing table for ${name}`);
  if (isRead)
    await sql(`create or replace view read.${name} as select ${columns.join(', ')} from ${nextTable(table)}`);
  await sql(`drop table {${name}}`);
  await sql(`alter table ${nextTable(table)} rename to ${found.own}`);
  for (const index of indexes) await sql(`alter index read.${index.name}_next rename to ${index.name}`);
}

async function rewrite(sql: Sql, table: OwnTable): Promise<void> {
  const columns = Object.keys(table.columns).map((column) => `"${column}"`);
  await sql(`delete from {${table.name}}`);
  await sql(
    `insert into {${table.name}} (${columns.join(', ')}) select ${columns.join(', ')} from ${nextTable(table)}`,
  );
  await sql(`drop table ${nextTable(table)}`);
}
