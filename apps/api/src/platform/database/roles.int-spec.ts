import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openEventStore, openPool } from '@nimo/event-store';
import { projections } from '@nimo/projections';
import { listGenerations, prepareProjections } from '@nimo/projection-engine';
import type pg from 'pg';
import { createTestDatabase, type TestDatabase } from '@nimo/testing';
import { SettingsError } from '../config/settings-error.js';
import { migrateAsSelf, prepareDatabase } from './migrate.js';
import { areRolesUpToDate, DATABASE_ROLES, type DatabaseRole, TABLE_GRANTS } from './roles.js';
import { sweepState } from '../runtime/retention.js';

let database: TestDatabase;
const pools = new Map<DatabaseRole, pg.Pool>();
const as = (role: DatabaseRole): pg.Pool => {
  const pool = pools.get(role);
  if (!pool) throw new Error(`no pool of ${role}`);
  return pool;
};

beforeAll(async () => {
  database = await createTestDatabase();
  for (const role of DATABASE_ROLES)
    pools.set(role, openPool({ connectionString: database.urlAs(role), max: 2 }));
});

afterAll(async () => {
  for (const pool of pools.values()) await pool.end();
  await database.drop();
});

const refused = expect.objectContaining({ code: '42501' });

describe('TABLE_GRANTS', () => {
  it('lists every table outside the schema read', async () => {
    const { rows } = await database
      .pool()
      .query<{ name: string }>(
        `select schemaname || '.' || tablename as name from pg_tables where schemaname in ('log', 'state') order by 1`,
      );
    expect(rows.map(({ name }) => name)).toEqual(Object.keys(TABLE_GRANTS).sort());
  });

  it('grants no role more than select and insert on the log', () => {
    const inLog = Object.entries(TABLE_GRANTS).filter(([table]) => table.startsWith('log.'));
    expect(inLog.length).toBeGreaterThan(2);
    for (const [, grant] of inLog)
      for (const role of DATABASE_ROLES)
        expect(grant[role].filter((verb) => !['select', 'insert'].includes(verb))).toEqual([]);
  });

  it('matches the grants in the database', async () => {
    const { rows } = await database.pool().query<{ name: string; grantee: string; verbs: string[] }>(
      `select table_schema || '.' || table_name as name, grantee,
              array_agg(lower(privilege_type)::text order by lower(privilege_type)) as verbs
       from information_schema.role_table_grants
       where grantee in ('nimo_api', 'nimo_worker') and table_schema in ('log', 'state') group by 1, 2`,
    );
    const listed = Object.entries(TABLE_GRANTS).flatMap(([name, grant]) =>
      DATABASE_ROLES.filter((role) => grant[role].length > 0).map((role) => [
        `${name} ${role}`,
        [...grant[role]].sort(),
      ]),
    );
    expect(Object.fromEntries(rows.map(({ name, grantee, verbs }) => [`${name} ${grantee}`, verbs]))).toEqual(
      Object.fromEntries(listed),
    );
  });
});

describe.each(DATABASE_ROLES)('%s', (role) => {
  it('appends to the log', async () => {
    const url = database.urlAs(role);
    const store = await openEventStore({ databaseUrl: url });
    const event = { id: randomUUID(), type: 'Noted', data: { role }, metadata: {} };
    await store.append([
      { streamId: `note-${randomUUID()}`, expectedRevision: 'no-stream', events: [event] },
    ]);
    const read = await store.readAll({ limit: 10 });
    expect(read.map(({ id }) => id)).toContain(event.id);
    await store.close();
  });

  it.each([
    ['an event', `update log.events set data = '{}'`],
    ['or delete events', 'delete from log.events'],
    ['the whole log', 'truncate log.events'],
    ['the trigger', 'alter table log.events disable trigger append_only'],
    ['the triggers of a session', `set session_replication_role = replica`],
    [
      'a trigger of its own',
      'create trigger mine before insert on log.events execute function log.refuse_change()',
    ],
    [
      'the append function',
      `create or replace function log.append_events() returns void language sql as 'select'`,
    ],
    [
      'the trigger function',
      `create or replace function log.refuse_change() returns trigger language plpgsql as 'begin return null; end'`,
    ],
    ['the chain', `update log.chain set head = leaf`],
    ['the signed heads', 'delete from log.signed_heads'],
    ['the owner', `alter table log.events owner to ${role}`],
    ['its own privileges', `alter role ${role} superuser`],
    ['its role', 'set role postgres'],
    ['the schema', 'drop schema log cascade'],
    ['a new table in log', 'create table log.other ()'],
    ['a new table in state', 'create table state.other ()'],
    ['the migrations', 'delete from state.migrations'],
    ['anything through a program', `copy log.events to program 'cat'`],
    ['or read a server file', `select pg_read_file('postgresql.conf')`],
  ])('cannot change %s', async (_what, statement) => {
    await expect(as(role).query(statement)).rejects.toThrow(
      /permission denied|must be owner|must be superuser|only roles with|does not exist|must be able to SET ROLE|superuser/i,
    );
  });
});

describe('the worker', () => {
  it('sweeps expired rows in every table', async () => {
    await expect(sweepState(as('nimo_worker'), { securityLogDays: 180 })).resolves.toBeGreaterThanOrEqual(0);
  });

  it.each([
    'session',
    'credential',
    'identity',
    'otp',
    'phone_grant',
    'login_attempt',
    'sign_in_attempt',
    'totp_factor',
    'passkey',
    'recovery_code',
    'factor_ticket',
  ])('writes nothing into state.%s', async (table) => {
    const worker = as('nimo_worker');
    await expect(worker.query(`insert into state.${table} default values`)).rejects.toEqual(refused);
    const { rows } = await database.pool().query<{ column: string }>(
      `select quote_ident(column_name) as column from information_schema.columns
         where table_schema = 'state' and table_name = $1 limit 1`,
      [table],
    );
    const column = rows[0]?.column ?? '';
    await expect(worker.query(`update state.${table} set ${column} = ${column}`)).rejects.toEqual(refused);
  });
});

describe('the schema read', () => {
  it('is owned by the worker regardless of its creator, and read-only for the API', async () => {
    const owner = database.pool();
    const store = await openEventStore({ databaseUrl: database.url });
    // As the CLI does.
    await prepareProjections(owner, store, projections.slice(0, 2));
    await prepareProjections(as('nimo_worker'), store, projections);
    await store.close();
    const { rows } = await owner.query<{ owner: string }>(
      `select distinct tableowner as owner from pg_tables where schemaname = 'read'
       union select distinct viewowner from pg_views where schemaname = 'read'`,
    );
    expect(rows).toEqual([{ owner: 'nimo_worker' }]);
    const api = as('nimo_api');
    expect(
      await listGenerations(
        api,
        projections.map(({ name }) => name),
      ),
    ).toHaveLength(projections.length);
    for (const { name } of projections.flatMap(({ tables }) => tables))
      await expect(api.query(`select from read.${name}`)).resolves.toMatchObject({ rowCount: 0 });
    await expect(api.query('select from read.questions')).resolves.toMatchObject({ rowCount: 0 });
    await expect(api.query('delete from read.projection_generations')).rejects.toEqual(refused);
    await expect(api.query('create table read.mine ()')).rejects.toEqual(refused);
    await expect(api.query('drop view read.questions')).rejects.toThrow(/must be owner/);
  });

  it('is assigned to the worker again after it was dropped', async () => {
    const other = await createTestDatabase();
    const { rows: tables } = await other
      .pool()
      .query<{ name: string }>(`select tablename as name from pg_tables where schemaname = 'read'`);
    expect(tables).not.toEqual([]);
    await other.pool().query('drop schema read cascade');
    expect(await areRolesUpToDate(other.pool())).toBe(false);
    await prepareDatabase(other.url);
    const worker = openPool({ connectionString: other.urlAs('nimo_worker'), max: 2 });
    const store = await openEventStore({ databaseUrl: other.urlAs('nimo_worker') });
    await prepareProjections(worker, store, projections);
    const api = openPool({ connectionString: other.urlAs('nimo_api'), max: 2 });
    for (const { name } of tables)
      await expect(api.query(`select from read.${name}`)).resolves.toMatchObject({ command: 'SELECT' });
    await api.end();
    await store.close();
    await worker.end();
    await other.drop();
  });
});

describe('prepareDatabase', () => {
  it('revokes manual grants when the grants change', async () => {
    const owner = database.pool();
    await owner.query('grant update on log.events to nimo_api');
    await owner.query(`comment on schema state is 'an earlier version'`);
    await prepareDatabase(database.url);
    await expect(as('nimo_api').query(`update log.events set data = '{}'`)).rejects.toEqual(refused);
  });

  it('can run concurrently', async () => {
    await database.pool().query(`comment on schema state is 'an earlier version'`);
    await Promise.all([
      prepareDatabase(database.url),
      prepareDatabase(database.url),
      prepareDatabase(database.url),
    ]);
    expect(await areRolesUpToDate(as('nimo_api'))).toBe(true);
  });
});

describe('migrateAsSelf', () => {
  it('accepts a database of this version', async () => {
    await expect(migrateAsSelf(database.urlAs('nimo_api'))).resolves.toBeUndefined();
  });

  it('names the setting needed to migrate an older one', async () => {
    const other = await createTestDatabase();
    await other.pool().query(`delete from state.migrations`);
    await expect(migrateAsSelf(other.urlAs('nimo_api'))).rejects.toThrow(SettingsError);
    await expect(migrateAsSelf(other.urlAs('nimo_api'))).rejects.toThrow(/DATABASE_OWNER_URL/);
    await other.drop();
  });
});
