import type { BatchEnd } from '../projection.js';

type Sql = Parameters<BatchEnd['run']>[1];
type OwnTable = BatchEnd['tables'][number];

/** Who waits for a lock makes all later readers wait: better to let go soon and come back. */
const LOCK_PATIENCE = '25ms';
/** How long to come back for a lock that somebody keeps, say a back-up, which reads everything. */
const SWAP_PATIENCE_MS = 3_000;
const PAUSE_SECONDS = 0.05;

/** The name of a table that is to take the place of another. It exists within one transaction only. */
export const beside = ({ name }: OwnTable): string => `{${name}}_next`;

/**
 * Gives tables that were filled beside the places of those that are read. Where a reader keeps them for too long the rows are exchanged
 * one by one instead: nobody waits and nobody sees some of each then either, but dead rows remain until a vacuum.
 */
export async function takePlaces(sql: Sql, tables: readonly OwnTable[]): Promise<void> {
  for (const table of tables) await equip(sql, table);
  const isRead = await isShown(sql, tables);
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

/** Constraints and indexes as the table has them whose place it takes: one that is still being filled has its key alone. */
async function equip(sql: Sql, table: OwnTable): Promise<void> {
  const required = Object.entries(table.columns).filter(([, { nullable }]) => nullable !== true);
  const constraints = required.map(([column]) => `alter column "${column}" set not null`);
  await sql(`alter table ${beside(table)} ${constraints.join(', ')}`);
  for (const { name, definition, isKey } of await indexesOf(sql, table)) {
    // PostgreSQL tells an index as "CREATE INDEX name ON schema.table USING …".
    const [, kind, rest] = /^(CREATE (?:UNIQUE )?INDEX) \S+ ON \S+ (.*)$/.exec(definition) ?? [];
    if (kind === undefined || rest === undefined) throw new TypeError(`not an index: ${definition}`);
    await sql(`${kind} ${name}_next on ${beside(table)} ${rest}`);
    if (isKey) await sql(`alter table ${beside(table)} add primary key using index ${name}_next`);
  }
  await sql(`analyze ${beside(table)}`);
}

/** Whether this generation is the one that the views show. */
async function isShown(sql: Sql, [first]: readonly OwnTable[]): Promise<boolean> {
  if (!first) return false;
  const { name } = first;
  const rows = await sql(
    `select 1 from pg_depend d join pg_rewrite r on d.classid = 'pg_rewrite'::regclass and r.oid = d.objid
     where d.refobjid = '{${name}}'::regclass and r.ev_class = to_regclass('read.${name}') limit 1`,
  );
  return rows.length > 0;
}

/** @returns false where somebody else keeps them for too long */
async function lockAll(sql: Sql, tables: readonly OwnTable[], isRead: boolean): Promise<boolean> {
  const named = tables.flatMap(({ name }) => (isRead ? [`read.${name}`, `{${name}}`] : [`{${name}}`]));
  const end = performance.now() + SWAP_PATIENCE_MS;
  for (;;) {
    await sql('savepoint swap');
    await sql(`select set_config('lock_timeout', '${LOCK_PATIENCE}', true)`);
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
  if (!found) throw new TypeError(`there is no table of ${name}`);
  if (isRead)
    await sql(`create or replace view read.${name} as select ${columns.join(', ')} from ${beside(table)}`);
  await sql(`drop table {${name}}`);
  await sql(`alter table ${beside(table)} rename to ${found.own}`);
  for (const index of indexes) await sql(`alter index read.${index.name}_next rename to ${index.name}`);
}

async function rewrite(sql: Sql, table: OwnTable): Promise<void> {
  const columns = Object.keys(table.columns).map((column) => `"${column}"`);
  await sql(`delete from {${table.name}}`);
  await sql(
    `insert into {${table.name}} (${columns.join(', ')}) select ${columns.join(', ')} from ${beside(table)}`,
  );
  await sql(`drop table ${beside(table)}`);
}
