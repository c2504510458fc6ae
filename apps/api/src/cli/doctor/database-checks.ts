import { setTimeout as delay } from 'node:timers/promises';
import { newClient } from '@nimo/event-store';
import type { Client } from 'pg';
import type { Settings } from '../../platform/config/load-settings.js';
import { migrations } from '../../platform/database/migrations.js';
import { withTimeout } from '../../platform/operations/health.js';
import { advice, broken, fine, PATIENCE_MS, reasonOf, type Finding } from './finding.js';

const OLDEST_VERSION = 160_000;
/** Scores of a day, codes and sessions go by the database's clock; a process may differ by little. */
const ODD_CLOCK_MS = 1_000;
const WRONG_CLOCK_MS = 30_000;
const SIGNAL_WITHIN_MS = 3_000;

export type DatabaseSettings = Pick<
  Settings,
  'databaseOwnerUrl' | 'databaseDirectUrl' | 'databaseWorkerUrl' | 'nodeEnv'
> & { readonly databaseUrl: string };

/** Every address of the database, and the server behind it. The last look that cannot be had ends the others. */
export async function checkDatabase(settings: DatabaseSettings): Promise<Finding[]> {
  const { databaseUrl, databaseDirectUrl = databaseUrl } = settings;
  const unreached = await unreachedAddresses(settings);
  if (unreached.length > 0) return unreached;
  return withClient(databaseDirectUrl, async (client) => [
    fine('database', 'PostgreSQL answers under every address that is set.'),
    await checkVersion(client),
    await checkEncoding(client),
    ...(await checkCollation(client)),
    await checkDurability(client),
    await checkClock(client),
    ...(await checkMigrations(client)),
    ...(await checkRole(client, settings)),
    await checkSignals(databaseUrl, databaseDirectUrl),
    await checkPrepared(databaseUrl),
  ]);
}

async function unreachedAddresses(settings: DatabaseSettings): Promise<Finding[]> {
  const addresses = [
    ['DATABASE_URL', settings.databaseUrl],
    ['DATABASE_DIRECT_URL', settings.databaseDirectUrl],
    ['DATABASE_OWNER_URL', settings.databaseOwnerUrl],
    ['DATABASE_WORKER_URL', settings.databaseWorkerUrl],
  ] as const;
  const findings = await Promise.all(
    addresses.map(async ([name, url]) => {
      if (url === undefined) return undefined;
      try {
        await withClient(url, (client) => client.query('select 1'));
        return undefined;
      } catch (error) {
        return broken(
          'database',
          `${name} does not let us in: ${reasonOf(error)}.`,
          'Check host, port, user, password, database name and TLS of that address.',
        );
      }
    }),
  );
  return findings.filter((finding) => finding !== undefined);
}

async function withClient<Value>(url: string, work: (client: Client) => Promise<Value>): Promise<Value> {
  const client = newClient({
    connectionString: url,
    application_name: 'nimo doctor',
    connectionTimeoutMillis: PATIENCE_MS,
    query_timeout: PATIENCE_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

type Queries = Pick<Client, 'query'>;

async function one<Row extends object>(client: Queries, sql: string): Promise<Row> {
  const { rows } = await client.query<Row>(sql);
  const [row] = rows;
  if (row === undefined) throw new Error('the database answered without a row');
  return row;
}

export async function checkVersion(client: Queries): Promise<Finding> {
  const { number, text } = await one<{ number: number; text: string }>(
    client,
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as text`,
  );
  if (number >= OLDEST_VERSION) return fine('database version', `PostgreSQL ${text}.`);
  return broken(
    'database version',
    `PostgreSQL ${text} is older than 16.`,
    'Move to PostgreSQL 16 or later.',
  );
}

export async function checkEncoding(client: Queries): Promise<Finding> {
  const { encoding } = await one<{ encoding: string }>(
    client,
    `select pg_encoding_to_char(encoding) as encoding from pg_database where datname = current_database()`,
  );
  if (encoding === 'UTF8') return fine('database encoding', 'UTF8.');
  return broken(
    'database encoding',
    `The database is in ${encoding}: it cannot hold every letter.`,
    "Make it anew: CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0.",
  );
}

/** A newer library of the operating system sorts otherwise than the indexes were built. */
export async function checkCollation(client: Queries): Promise<Finding[]> {
  const { name, stored, actual } = await one<{ name: string; stored: string | null; actual: string | null }>(
    client,
    `select datname as name, datcollversion as stored, pg_database_collation_actual_version(oid) as actual
     from pg_database where datname = current_database()`,
  );
  if (stored === null || actual === null || stored === actual)
    return [fine('database collation', 'As it was.')];
  return [
    broken(
      'database collation',
      `Indexes were built with collation version ${stored}, the server has ${actual}: look-ups may miss rows.`,
      `REINDEX DATABASE "${name}"; then ALTER DATABASE "${name}" REFRESH COLLATION VERSION.`,
    ),
  ];
}

export async function checkDurability(client: Queries): Promise<Finding> {
  const { rows } = await client.query<{ name: string }>(
    `select name from pg_settings
     where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name`,
  );
  if (rows.length === 0) return fine('database durability', 'What is acknowledged is on the disk.');
  const names = rows.map(({ name }) => name).join(', ');
  return broken(
    'database durability',
    `${names} is off: a crash loses what was acknowledged.`,
    `Set ${names} to on, and reload the server.`,
  );
}

export async function checkClock(client: Queries): Promise<Finding> {
  const before = Date.now();
  const { ms } = await one<{ ms: number }>(
    client,
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  );
  const after = Date.now();
  // Between the two it was asked: no more than the way there and back is explained by it.
  const off = ms < before ? ms - before : ms > after ? ms - after : 0;
  const seconds = (Math.abs(off) / 1000).toFixed(1);
  if (Math.abs(off) < ODD_CLOCK_MS) return fine('database clock', 'Agrees with this machine.');
  const says = `The database is ${seconds} s ${off < 0 ? 'behind' : 'ahead of'} this machine.`;
  const remedy = 'Run a time service (chrony, systemd-timesyncd) on both machines.';
  return Math.abs(off) < WRONG_CLOCK_MS
    ? advice('database clock', says, remedy)
    : broken('database clock', says, remedy);
}

async function checkMigrations(client: Queries): Promise<Finding[]> {
  const check = 'database schema';
  const { exists } = await one<{ exists: boolean }>(
    client,
    `select to_regclass('state.migrations') is not null as exists`,
  );
  if (!exists) return [advice(check, 'The database is empty.', 'Start Nimo, or run nimo database prepare.')];
  const { rows } = await client.query<{ name: string }>('select name from state.migrations');
  const known = new Set(migrations.map(({ name }) => name));
  const newer = rows.filter(({ name }) => !known.has(name));
  const [first] = newer;
  if (first !== undefined)
    return [
      broken(
        check,
        `A newer version of Nimo was here: ${newer.length} changes of the schema are unknown, as ${first.name}.`,
        'Run that version, or restore the back-up from before it.',
      ),
    ];
  const pending = known.size - rows.length;
  if (pending === 0) return [fine(check, 'At this version.')];
  return [
    advice(
      check,
      `${pending} changes of the schema are waiting.`,
      'Start Nimo, or run nimo database prepare.',
    ),
  ];
}

async function checkRole(
  client: Queries,
  { databaseOwnerUrl, nodeEnv }: DatabaseSettings,
): Promise<Finding[]> {
  if (nodeEnv !== 'production') return [];
  const { role, isSuperuser } = await one<{ role: string; isSuperuser: boolean }>(
    client,
    `select current_user as role, rolsuper as "isSuperuser" from pg_roles where rolname = current_user`,
  );
  if (!isSuperuser && databaseOwnerUrl !== undefined) return [fine('database role', `Works as ${role}.`)];
  const says = isSuperuser
    ? `Nimo works as ${role}, who may do everything.`
    : `Nimo works as the owner, ${role}.`;
  return [
    advice(
      'database role',
      says,
      'Set DATABASE_OWNER_URL, and DATABASE_URL and DATABASE_WORKER_URL to the roles made for them.',
    ),
  ];
}

/** A pooler that hands a connection from transaction to transaction loses LISTEN. */
async function checkSignals(databaseUrl: string, directUrl: string): Promise<Finding> {
  const check = 'database signals';
  const heard = await withClient(directUrl, async (listener) => {
    const signal = new Promise<true>((resolve) => {
      listener.on('notification', () => resolve(true));
    });
    await listener.query('listen nimo_doctor');
    await withClient(databaseUrl, (client) => client.query(`select pg_notify('nimo_doctor', '')`));
    return withTimeout(signal, SIGNAL_WITHIN_MS).catch(() => false);
  });
  if (heard) return fine(check, 'LISTEN hears what NOTIFY says.');
  return broken(
    check,
    'LISTEN hears nothing: a pooler stands in between.',
    'Set DATABASE_DIRECT_URL to the server itself, past the pooler.',
  );
}

const ROUNDS = 4;

/** Statements that a connection prepared are there in its next transaction, be there a pooler or not. */
async function checkPrepared(databaseUrl: string): Promise<Finding> {
  const check = 'database pooler';
  const prepared = { name: 'nimo_doctor', text: 'select 1' };
  try {
    await withClient(databaseUrl, (client) =>
      withClient(databaseUrl, async (other) => {
        for (let round = 0; round < ROUNDS; round += 1) {
          // In turn the one and the other hold a connection of the server, so that a pooler has to change them.
          const [holds, works] = round % 2 === 0 ? [other, client] : [client, other];
          await holds.query('begin');
          await works.query('begin');
          await works.query(prepared);
          await works.query('commit');
          await holds.query(prepared);
          await holds.query('commit');
          await delay(0);
        }
      }),
    );
    return fine(check, 'Prepared statements last.');
  } catch (error) {
    return broken(
      check,
      `Prepared statements are lost between transactions: ${reasonOf(error)}.`,
      'PgBouncer: version 1.21 or later with max_prepared_statements above 0 (docs/deploying.md).',
    );
  }
}
