import { createReadStream, createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { newClient } from '@nimo/event-store';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { hashOf, type Manifest, type SavedTable, TABLES } from './manifest.js';
import { SEALED, type SealedFiles } from './sealed-files.js';

/** Migrations fill their own table, and the history of backups and restores belongs to one installation. */
const EXCLUDED_TABLES = ['state.migrations', 'state.backup', 'state.unfinished_restore'];

interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

/** Tables of the log and the state. Projections are rebuilt from the log instead. */
async function tablesOf(client: pg.Client): Promise<readonly Table[]> {
  const { rows } = await client.query<Table>(
    `select table_schema || '.' || table_name as name, array_agg(column_name::text order by ordinal_position) as columns
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema in ('log', 'state') and table_type = 'BASE TABLE' and is_generated = 'NEVER'
     group by table_schema, table_name order by 1`,
  );
  return rows.filter(({ name }) => !EXCLUDED_TABLES.includes(name));
}

async function withConnection<Result>(
  url: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = newClient({ connectionString: url, application_name: 'nimo backup' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

const listed = (columns: readonly string[]): string =>
  columns.map((name) => pg.escapeIdentifier(name)).join(', ');

/** Saves all tables from one snapshot. */
export function saveTables(
  url: string,
  backup: string,
  sealed: SealedFiles | undefined,
  onTable: (name: string) => void,
): Promise<SavedTable[]> {
  return withConnection(url, async (client) => {
    await client.query('begin isolation level repeatable read read only');
    const saved: SavedTable[] = [];
    for (const { name, columns } of await tablesOf(client)) {
      onTable(name);
      const plain = `${name}.copy.gz`;
      const file = sealed ? plain + SEALED : plain;
      const path = join(backup, TABLES, file);
      const rows = client.query(copyTo(`copy ${name} (${listed(columns)}) to stdout`));
      const written = createWriteStream(path, { mode: 0o600, flush: true });
      if (sealed) await pipeline(rows, createGzip(), sealed.sealStream(`${TABLES}/${plain}`), written);
      else await pipeline(rows, createGzip(), written);
      saved.push({ name, columns: [...columns], rows: rows.rowCount, file, sha256: await hashOf(path) });
    }
    await client.query('commit');
    return saved;
  });
}

/** Reads each saved table to the end, as a restore does. @throws if one cannot be read */
export async function readTables(
  backup: string,
  sealed: SealedFiles | undefined,
  saved: readonly SavedTable[],
): Promise<void> {
  for (const { file } of saved) {
    const nowhere = new Writable({ write: (_part, _encoding, done) => done() });
    const stored = createReadStream(join(backup, TABLES, file));
    const place = `${TABLES}/${file.slice(0, -SEALED.length)}`;
    if (sealed) await pipeline(stored, sealed.openStream(place), createGunzip(), nowhere);
    else await pipeline(stored, createGunzip(), nowhere);
  }
}

/** Restores all tables in one transaction and marks the restore as unfinished. Identity columns continue after the highest value. */
export function restoreTables(
  url: string,
  backup: string,
  sealed: SealedFiles | undefined,
  { tables: saved, madeAt }: Pick<Manifest, 'tables' | 'madeAt'>,
  onTable: (name: string) => void,
): Promise<void> {
  return withConnection(url, async (client) => {
    const known = new Set((await tablesOf(client)).map(({ name }) => name));
    await client.query('begin');
    // Removes the initial rows of a new database. The log is empty, and does not allow deletes.
    const state = saved.filter(({ name }) => name.startsWith('state.') && known.has(name));
    await client.query(`truncate ${state.map(({ name }) => name).join(', ')}`);
    await client.query('insert into state.unfinished_restore (made_at) values ($1)', [madeAt]);
    for (const { name, columns, file } of saved) {
      onTable(name);
      const rows = client.query(copyFrom(`copy ${name} (${listed(columns)}) from stdin`));
      const stored = createReadStream(join(backup, TABLES, file));
      const place = `${TABLES}/${file.slice(0, -SEALED.length)}`;
      if (sealed) await pipeline(stored, sealed.openStream(place), createGunzip(), rows);
      else await pipeline(stored, createGunzip(), rows);
      await continueIdentities(client, name);
    }
    await client.query('commit');
  });
}

async function continueIdentities(client: pg.Client, table: string): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select column_name as name from information_schema.columns
     where table_schema || '.' || table_name = $1 and is_identity = 'YES'`,
    [table],
  );
  for (const { name } of rows) {
    await client.query(
      `select setval(pg_get_serial_sequence($1, $2), coalesce(max(${pg.escapeIdentifier(name)}), 0) + 1, false) from ${table}`,
      [table, name],
    );
  }
}

/** Describes what prevents a restore into this database; undefined if nothing does. @param isResumed for an interrupted restore */
export async function findConflict(
  url: string,
  { isResumed }: { readonly isResumed: boolean },
): Promise<string | undefined> {
  return withConnection(url, async (client) => {
    const { rows: processes } = await client.query<{ name: string }>(
      `select distinct application_name as name from pg_stat_activity
       where datname = current_database() and application_name in ('nimo api', 'nimo worker')`,
    );
    if (processes.length > 0)
      return `the database is in use by ${processes.map(({ name }) => name).join(' and ')}`;
    if (isResumed) return undefined;
    const { rows } = await client.query<{ isUsed: boolean }>(
      `select exists (select from log.events) or exists (select from log.chain)
         or exists (select from state.student_key) or exists (select from state.credential) as "isUsed"`,
    );
    return rows[0]?.isUsed ? 'the database is not empty' : undefined;
  });
}
