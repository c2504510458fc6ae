import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { newClient } from '@nimo/event-store';
import { createTestDatabase, type TestDatabase } from '@nimo/testing';
import pg from 'pg';
import { RENAMED_TABLES } from '../renamed-tables.js';
import type { DatabaseRole } from '../roles.js';

const ID = '00000000-0000-4000-8000-00000000000';

const ROWS = `
insert into state.identity (issuer, subject, student_id) values ('https://school.example', 'ada', 'ada');
insert into state.invitation (id, space_id, kind, rule) values ('${ID}1', 'physics', 'GROUP', 'school:7b'), ('${ID}2', 'maths', 'GROUP', 'school:7c');
insert into read.projection_acts values ('questions', 7, '{"outcome": "equal"}');
insert into state.back_up values ('2020-11-01', '2020-11-01', 4096, true);
insert into state.carried_group values ('https://school.example', 'ada', '${ID}1', '2020-11-02');
insert into state.key_use values ('hmac', 'former', '2020-11-01', '12', '2020-11-20'), ('hmac', 'current', '2020-11-19', null, null);
insert into state.last_look values ('ada', 'physics', '2020-11-03');
update state.log_chain_place set ordinal = 2, position = '3', epoch = 5, updated_at = '2020-11-04';
insert into state.log_home (engine) values ('postgresql');
insert into state.log_misfits values ('event 2 was changed', 'event', 2, '2020-11-05');
insert into state.own_export (id, student_id, language, status, sealed, asked_at) values ('${ID}3', 'ada', 'de', 'WAITING', 'sealed', '2020-11-06');
insert into state.search_shipping values ('nimo', 'worker-1', null, '2020-11-07');`;

/** The grants of the first version on the tables that are renamed, and on those their statements also use. */
const GRANTS = `
grant usage on schema log, state, read to nimo_api, nimo_worker;
alter schema read owner to nimo_worker;
alter table read.projection_acts owner to nimo_worker;
grant select on read.projection_acts, state.log_chain_place, state.search_shipping to nimo_api;
grant select on state.back_up, state.invitation, state.identity, log.chain to nimo_api, nimo_worker;
grant select, insert on state.log_home to nimo_api, nimo_worker;
grant select, insert on state.log_misfits to nimo_api;
grant select, insert, update, delete on state.carried_group, state.last_look to nimo_api;
grant select, delete on state.carried_group to nimo_worker;
grant select on state.last_look to nimo_worker;
grant insert on log.chain to nimo_worker;
grant select, insert, update, delete on state.key_use, state.own_export to nimo_api, nimo_worker;
grant select, insert, update, delete on state.log_chain_place, state.log_misfits, state.search_shipping, state.search_collections to nimo_worker;`;

/** A database of the first version, before any other migration, with a row in each table that is renamed. */
export async function createPreviousDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase('template0');
  const baseline = await readFile(join(import.meta.dirname, 'baseline.sql'), 'utf8');
  await database.pool().query(baseline);
  await database.pool().query(ROWS + GRANTS);
  return database;
}

export interface PreviousStatement {
  readonly role: DatabaseRole;
  readonly text: string;
  /** Rows returned or affected. */
  readonly rows: number | 'refused';
}

const [api, worker] = ['nimo_api', 'nimo_worker'] as const;

/** Statements of the first version by table, with values in place of parameters. */
export const PREVIOUS_STATEMENTS: Readonly<Record<string, readonly PreviousStatement[]>> = {
  projection_acts: [
    {
      role: worker,
      text: `insert into read.projection_acts (name, revision) values ('questions', -1) on conflict do nothing`,
      rows: 0,
    },
    {
      role: worker,
      text: `insert into read.projection_acts (name, revision) values ('questions', 9) on conflict (name) do update set revision = excluded.revision`,
      rows: 1,
    },
    { role: worker, text: `update read.projection_acts set revision = 8 where name = 'questions'`, rows: 1 },
    { role: api, text: `select has_table_privilege('read.projection_acts', 'UPDATE') as may`, rows: 1 },
    { role: worker, text: `select has_table_privilege('read.projection_acts', 'UPDATE') as may`, rows: 1 },
    {
      role: api,
      text: `select revision, verification from read.projection_acts where name = 'questions'`,
      rows: 1,
    },
    { role: api, text: `delete from read.projection_acts`, rows: 'refused' },
  ],
  back_up: [
    {
      role: api,
      text: `select extract(epoch from max(made_at))::float8 as seconds from state.back_up`,
      rows: 1,
    },
    { role: worker, text: `delete from state.back_up`, rows: 'refused' },
  ],
  carried_group: [
    {
      role: api,
      text: `with gone as (
        delete from state.carried_group c using state.invitation i
        where c.issuer = 'https://school.example' and c.subject = 'ada' and i.id = c.invitation_id and not i.rule = any('{school:7c}'::text[]))
      insert into state.carried_group (issuer, subject, invitation_id)
      select d.issuer, d.subject, i.id from state.identity d, state.invitation i
      where d.issuer = 'https://school.example' and d.subject = 'ada' and i.kind = 'GROUP' and i.rule = any('{school:7c}'::text[])
      on conflict (issuer, subject, invitation_id) do update set seen_at = now()`,
      rows: 1,
    },
    {
      role: worker,
      text: `delete from state.carried_group where seen_at < now() - interval '30 days'`,
      rows: 1,
    },
    { role: worker, text: `update state.carried_group set seen_at = now()`, rows: 'refused' },
  ],
  key_use: [
    {
      role: api,
      text: `select print, place, free_at from state.key_use where key = 'hmac' and print = 'former'`,
      rows: 1,
    },
    {
      role: api,
      text: `insert into state.key_use as u (key, print) values ('hmac', 'former')
      on conflict (key, print) do update set since = now(), place = null, free_at = null where u.free_at is not null
      returning print, place, free_at`,
      rows: 1,
    },
    {
      role: api,
      text: `update state.key_use set free_at = coalesce(free_at, now()) where key = 'hmac' and print = 'current'`,
      rows: 1,
    },
  ],
  last_look: [
    {
      role: api,
      text: `select seen_at from state.last_look where student_id = 'ada' and space_id = 'physics'`,
      rows: 1,
    },
    {
      role: api,
      text: `insert into state.last_look as l (student_id, space_id, seen_at) values ('ada', 'physics', '2020-11-02')
      on conflict (student_id, space_id) do update set seen_at = greatest(l.seen_at, excluded.seen_at) returning seen_at`,
      rows: 1,
    },
    { role: worker, text: `delete from state.last_look`, rows: 'refused' },
    { role: worker, text: `select state.forget_student('ada')`, rows: 1 },
  ],
  log_chain_place: [
    {
      role: worker,
      text: `update state.log_chain_place set owner = 'worker-2', epoch = epoch + 1, expires_at = clock_timestamp() + interval '3 s'
      where expires_at is null or expires_at < clock_timestamp() returning ordinal, position, epoch`,
      rows: 1,
    },
    {
      role: worker,
      text: `with moved as (
        update state.log_chain_place set ordinal = 3, position = '4', updated_at = clock_timestamp()
        where epoch = 5 and ordinal = 2 returning set_config('synchronous_commit', 'off', true))
      insert into log.chain (ordinal, event_id, leaf, head)
      select 3, '${ID}4', decode(repeat('0', 64), 'hex'), decode(repeat('0', 64), 'hex') from moved`,
      rows: 1,
    },
    { role: api, text: `select ordinal, position, updated_at as at from state.log_chain_place`, rows: 1 },
    { role: api, text: `update state.log_chain_place set owner = null`, rows: 'refused' },
  ],
  log_home: [
    { role: api, text: `select engine from state.log_home`, rows: 1 },
    {
      role: worker,
      text: `insert into state.log_home (engine) values ('postgresql') on conflict do nothing`,
      rows: 0,
    },
  ],
  log_misfits: [
    {
      role: api,
      text: `insert into state.log_misfits (detail, kind, ordinal)
      select 'event 3 is missing', 'event', 3 where (select count(*) from state.log_misfits) < 100 on conflict do nothing`,
      rows: 1,
    },
    {
      role: api,
      text: `select kind, ordinal, detail, found_at from state.log_misfits order by found_at, detail`,
      rows: 1,
    },
    { role: worker, text: `delete from state.log_misfits where found_at < now()`, rows: 1 },
  ],
  own_export: [
    {
      role: api,
      text: `insert into state.own_export (id, student_id, language, status, sealed) values ('${ID}5', 'ada', 'en', 'WAITING', 'sealed')
      on conflict (student_id) where ended_at is null do nothing`,
      rows: 0,
    },
    {
      role: api,
      text: `insert into state.own_export (id, student_id, language, status, sealed) values ('${ID}5', 'eve', 'en', 'WAITING', 'sealed')
      on conflict (student_id) where ended_at is null do nothing returning percent, runs, starts`,
      rows: 1,
    },
    {
      role: api,
      text: `select id, status, percent, asked_at, expires_at, bytes from state.own_export where student_id = 'ada' and ended_at is null`,
      rows: 1,
    },
    {
      role: worker,
      text: `update state.own_export set status = 'WORKING', run = '${ID}6', runs = array_append(runs, '${ID}6'::uuid), touched_at = now(), starts = starts + 1
      where id = '${ID}3' and ended_at is null and status = 'WAITING' returning student_id, language, sealed, runs`,
      rows: 1,
    },
    { role: worker, text: `delete from state.own_export where id = '${ID}3'`, rows: 1 },
  ],
  search_shipping: [
    {
      role: worker,
      text: `insert into state.search_shipping as s (prefix, owner, expires_at) values ('nimo', 'worker-2', clock_timestamp() + interval '3 s')
      on conflict (prefix) do update set former_owner = s.owner, owner = excluded.owner, expires_at = excluded.expires_at
      where s.owner = excluded.owner or s.expires_at < clock_timestamp() returning former_owner as was_owner`,
      rows: 1,
    },
    {
      role: worker,
      text: `update state.search_shipping set expires_at = clock_timestamp() where prefix = 'nimo' and owner = 'worker-1'`,
      rows: 1,
    },
    {
      role: worker,
      text: `update state.search_collections set version = 2
      where name = 'posts' and exists (select from state.search_shipping where prefix = 'nimo' and owner = 'worker-1')`,
      rows: 0,
    },
  ],
};

/** Runs the statements as a process of the first version: prepared on one connection per role. Nothing is kept. */
export class PreviousProcess {
  private readonly clients = new Map<DatabaseRole, pg.Client>();

  constructor(private readonly database: TestDatabase) {}

  /** Results by statement: rows, or the code of an error. */
  async runAll(): Promise<ReadonlyMap<PreviousStatement, unknown>> {
    const results = new Map<PreviousStatement, unknown>();
    for (const statement of Object.values(PREVIOUS_STATEMENTS).flat()) {
      const { role, text } = statement;
      const client = await this.clientOf(role);
      await client.query('begin');
      results.set(
        statement,
        await client.query({ name: createHash('md5').update(text).digest('hex'), text }).then(
          ({ rowCount, rows }) => ({ rowCount, rows: rows as readonly unknown[] }),
          (error: unknown) => (error instanceof pg.DatabaseError ? error.code : error),
        ),
      );
      await client.query('rollback');
    }
    return results;
  }

  async stop(): Promise<void> {
    for (const client of this.clients.values()) await client.end();
  }

  private async clientOf(role: DatabaseRole): Promise<pg.Client> {
    const existing = this.clients.get(role);
    if (existing) return existing;
    const client = newClient({ connectionString: this.database.urlAs(role) });
    this.clients.set(role, client);
    await client.connect();
    return client;
  }
}

/** Rows of the renamed tables, by table, as values in the order of the columns. */
export async function rowsOfRenamedTables(
  pool: pg.Pool,
  names: 'from' | 'to',
): Promise<Readonly<Record<string, readonly unknown[]>>> {
  const found: Record<string, readonly unknown[]> = {};
  for (const table of RENAMED_TABLES) {
    const { rows } = await pool.query<unknown[]>({
      text: `select * from ${table.schema}.${table[names]} order by 1, 2`,
      rowMode: 'array',
    });
    found[table.to] = rows;
  }
  return found;
}
