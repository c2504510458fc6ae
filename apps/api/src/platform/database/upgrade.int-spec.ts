import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, describeSchema, type TestDatabase } from '@nimo/testing';
import { withSession } from '../../cli/cli-session.js';
import { environmentOf } from '../../features/imports/testing/import-session.fixture.js';
import { loadSettings } from '../config/load-settings.js';
import { migrate, migrateAsSelf, prepareDatabase } from './migrate.js';
import { RENAMED_TABLES } from './renamed-tables.js';
import { areRolesUpToDate } from './roles.js';
import {
  createPreviousDatabase,
  PREVIOUS_STATEMENTS,
  PreviousProcess,
  rowsOfRenamedTables,
} from './testing/previous-version.fixture.js';

let database: TestDatabase;
let dataDir: string;
beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), 'nimo-upgrade-'));
});
afterAll(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

describe('a start on a database of a newer version', () => {
  it('fails with an explanation, however the database is prepared', async () => {
    await database
      .pool()
      .query(`insert into state.migrations (timestamp, name) values (9, 'FromTheFuture9')`);
    const refusal =
      /newer version of Nimo has migrated this database: 1 migrations .*FromTheFuture9.* Nothing was changed/;
    await expect(prepareDatabase(database.url)).rejects.toThrow(refusal);
    await expect(migrateAsSelf(database.url)).rejects.toThrow(refusal);
    const settings = loadSettings({ ...environmentOf(database.url), NIMO_DATA_DIR: dataDir });
    await expect(withSession(() => Promise.resolve(), settings)).rejects.toThrow(refusal);
    await database.pool().query(`delete from state.migrations where name = 'FromTheFuture9'`);
    await expect(migrateAsSelf(database.url)).resolves.toBeUndefined();
  });
});

describe('an upgrade from the first version', () => {
  let older: TestDatabase;
  let previous: PreviousProcess;
  const results: Awaited<ReturnType<PreviousProcess['runAll']>>[] = [];
  let rows: Awaited<ReturnType<typeof rowsOfRenamedTables>>;

  beforeAll(async () => {
    older = await createPreviousDatabase();
    previous = new PreviousProcess(older);
    rows = await rowsOfRenamedTables(older.pool(), 'from');
    results.push(await previous.runAll());
    await migrate(older.url);
    results.push(await previous.runAll());
    await prepareDatabase(older.url);
    results.push(await previous.runAll());
  });
  afterAll(async () => {
    await previous.stop();
    await older.drop();
  });

  it('results in the schema of a new database', async () => {
    expect(withoutComments(await describeSchema(older.pool()))).toBe(
      withoutComments(await describeSchema(database.pool())),
    );
    expect(await notNullConstraintsOf(older)).toEqual(await notNullConstraintsOf(database));
  });

  it('leaves a view under the old name of each renamed table, which a new database does not have', async () => {
    expect(await viewsOf(older)).toEqual(
      RENAMED_TABLES.map(({ schema, from }) => `${schema}.${from}`).sort(),
    );
    expect(await viewsOf(database)).toEqual([]);
  });

  it('keeps the rows of renamed tables', async () => {
    expect(Object.values(rows).map(({ length }) => length)).not.toContain(0);
    expect(await rowsOfRenamedTables(older.pool(), 'to')).toEqual(rows);
  });

  it('grants the roles the privileges of a new database', async () => {
    expect(await areRolesUpToDate(older.pool())).toBe(true);
    expect(await privilegesOf(older)).toEqual(await privilegesOf(database));
  });

  it.each(RENAMED_TABLES)('keeps $from usable by running processes of the previous version', ({ from }) => {
    const [before, migrated, prepared] = results;
    const statements = PREVIOUS_STATEMENTS[from] ?? [];
    expect(statements).not.toEqual([]);
    for (const statement of statements) {
      const result = before?.get(statement);
      expect([statement, result]).toEqual([
        statement,
        statement.rows === 'refused' ? '42501' : expect.objectContaining({ rowCount: statement.rows }),
      ]);
      expect([statement, migrated?.get(statement)]).toEqual([statement, result]);
      expect([statement, prepared?.get(statement)]).toEqual([statement, result]);
    }
  });
});

/** Comments in functions are not part of a migration. */
const withoutComments = (schema: string): string => schema.replaceAll(/^\s*--.*\n/gm, '');

const linesOf = async ({ pool }: TestDatabase, query: string): Promise<readonly string[]> =>
  (await pool().query<{ line: string }>(`${query} order by 1`)).rows.map(({ line }) => line);

const viewsOf = (of: TestDatabase): Promise<readonly string[]> =>
  linesOf(
    of,
    `select schemaname || '.' || viewname as line from pg_views where schemaname in ('state', 'read')`,
  );

const notNullConstraintsOf = (of: TestDatabase): Promise<readonly string[]> =>
  linesOf(
    of,
    `select conrelid::regclass || ' ' || conname as line from pg_constraint
     where contype = 'n' and connamespace in ('log'::regnamespace, 'state'::regnamespace, 'read'::regnamespace)`,
  );

const privilegesOf = (of: TestDatabase): Promise<readonly string[]> =>
  linesOf(
    of,
    `select table_schema || '.' || table_name || ' ' || grantee || ' ' || privilege_type as line
     from information_schema.role_table_grants join pg_tables on schemaname = table_schema and tablename = table_name
     where grantee in ('nimo_api', 'nimo_worker') and table_schema in ('log', 'state', 'read')`,
  );
