import { setTimeout as delay } from 'node:timers/promises';
import { newClient } from '@nimo/event-store';
import type { Client } from 'pg';
import type { Settings } from '../../platform/config/load-settings.js';
import { migrations } from '../../platform/database/migrations.js';
import { withTimeout } from '../../platform/operations/health.js';
import { advice, broken, ok, CHECK_TIMEOUT_MS, reasonOf, type Finding } from './finding.js';

const MIN_POSTGRES_VERSION = 160_000;
/** Daily scores, codes and sessions use the database's clock, so processes may differ only slightly. */
const MAX_CLOCK_SKEW_MS = 1_000;
const BROKEN_CLOCK_SKEW_MS = 30_000;
const SIGNAL_TIMEOUT_MS = 3_000;

export type DatabaseSettings = Pick<
  Settings,
  'databaseOwnerUrl' | 'databaseDirectUrl' | 'databaseWorkerUrl' | 'nodeEnv'
> & { readonly databaseUrl: string };

/** Checks that every database URL can be used, then the server. If one URL cannot be used, skips the other checks. */
export async function checkDatabase(settings: DatabaseSettings): Promise<Finding[]> {
  const { databaseUrl, databaseDirectUrl = databaseUrl } = settings;
  const unreached = await unreachableAddresses(settings);
  if (unreached.length > 0) return unreached;
  return withClient(databaseDirectUrl, async (client) => [
    ok('database', 'Every configured database URL works.'),
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

async function unreachableAddresses(settings: DatabaseSettings): Promise<Finding[]> {
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
          `Cannot connect with ${name}: ${reasonOf(error)}.`,
          'Check the host, port, user, password, database name and TLS options of the URL.',
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
    connectionTimeoutMillis: CHECK_TIMEOUT_MS,
    query_timeout: CHECK_TIMEOUT_MS,
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return await work(client);
  } finally {
    await client.end().catch(() => undefined);
  }
}

type Queryable = Pick<Client, 'query'>;

async function queryOne<Row extends object>(client: Queryable, sql: string): Promise<Row> {
  const { rows } = await client.query<Row>(sql);
  const [row] = rows;
  if (row === undefined) throw new Error('the query returned no row');
  return row;
}

export async function checkVersion(client: Queryable): Promise<Finding> {
  const { number, text } = await queryOne<{ number: number; text: string }>(
    client,
    `select current_setting('server_version_num')::int as number, current_setting('server_version') as text`,
  );
  if (number >= MIN_POSTGRES_VERSION) return ok('database version', `PostgreSQL ${text}.`);
  return broken(
    'database version',
    `PostgreSQL ${text} is older than 16.`,
    'Upgrade to PostgreSQL 16 or later.',
  );
}

export async function checkEncoding(client: Queryable): Promise<Finding> {
  const { encoding } = await queryOne<{ encoding: string }>(
    client,
    `select pg_encoding_to_char(encoding) as encoding from pg_database where datname = current_database()`,
  );
  if (encoding === 'UTF8') return ok('database encoding', 'UTF8.');
  return broken(
    'database encoding',
    `The encoding is ${encoding}, which cannot store every character.`,
    "Recreate the database: CREATE DATABASE ... ENCODING 'UTF8' TEMPLATE template0.",
  );
}

/** After an operating system upgrade, strings may sort differently than when the indexes were built. */
export async function checkCollation(client: Queryable): Promise<Finding[]> {
  const { name, stored, actual } = await queryOne<{
    name: string;
    stored: string | null;
    actual: string | null;
  }>(
    client,
    `select datname as name, datcollversion as stored, pg_database_collation_actual_version(oid) as actual
     from pg_database where datname = current_database()`,
  );
  if (stored === null || actual === null || stored === actual)
    return [ok('database collation', 'Unchanged.')];
  return [
    broken(
      'database collation',
      `Indexes were built with collation version ${stored}, but the server has ${actual}: queries may miss rows.`,
      `Run REINDEX DATABASE "${name}", then ALTER DATABASE "${name}" REFRESH COLLATION VERSION.`,
    ),
  ];
}

export async function checkDurability(client: Queryable): Promise<Finding> {
  const { rows } = await client.query<{ name: string }>(
    `select name from pg_settings
     where name in ('fsync', 'full_page_writes', 'synchronous_commit') and setting = 'off' order by name`,
  );
  if (rows.length === 0) return ok('database durability', 'Committed data survives a crash.');
  const names = rows.map(({ name }) => name).join(', ');
  return broken(
    'database durability',
    `${names} ${rows.length === 1 ? 'is' : 'are'} off: a crash can lose committed data.`,
    `Set ${names} to on and reload the server.`,
  );
}

export async function checkClock(client: Queryable): Promise<Finding> {
  const before = Date.now();
  const { ms } = await queryOne<{ ms: number }>(
    client,
    'select extract(epoch from clock_timestamp())::float8 * 1000 as ms',
  );
  const after = Date.now();
  // The clock was read between the two, so the round trip does not count as skew.
  const skew = ms < before ? ms - before : ms > after ? ms - after : 0;
  const seconds = (Math.abs(skew) / 1000).toFixed(1);
  if (Math.abs(skew) < MAX_CLOCK_SKEW_MS) return ok('database clock', 'In sync with this machine.');
  const message = `The database clock is ${seconds} s ${skew < 0 ? 'behind' : 'ahead of'} this machine.`;
  const fix = 'Run a time service (chrony, systemd-timesyncd) on both machines.';
  return Math.abs(skew) < BROKEN_CLOCK_SKEW_MS
    ? advice('database clock', message, fix)
    : broken('database clock', message, fix);
}

async function checkMigrations(client: Queryable): Promise<Finding[]> {
  const check = 'database schema';
  const { exists } = await queryOne<{ exists: boolean }>(
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
        `The schema is from a newer version of Nimo: ${newer.length} unknown migrations, including ${first.name}.`,
        'Run that version, or restore a backup from before the upgrade.',
      ),
    ];
  const pending = known.size - rows.length;
  if (pending === 0) return [ok(check, 'Up to date.')];
  return [advice(check, `Pending migrations: ${pending}.`, 'Start Nimo, or run nimo database prepare.')];
}

async function checkRole(
  client: Queryable,
  { databaseOwnerUrl, nodeEnv }: DatabaseSettings,
): Promise<Finding[]> {
  if (nodeEnv !== 'production') return [];
  const { role, isSuperuser } = await queryOne<{ role: string; isSuperuser: boolean }>(
    client,
    `select current_user as role, rolsuper as "isSuperuser" from pg_roles where rolname = current_user`,
  );
  if (!isSuperuser && databaseOwnerUrl !== undefined) return [ok('database role', `Connects as ${role}.`)];
  const message = isSuperuser
    ? `Nimo connects as ${role}, a superuser.`
    : `Nimo connects as the owner, ${role}.`;
  return [
    advice(
      'database role',
      message,
      'Set DATABASE_OWNER_URL to the owner, DATABASE_URL to nimo_api and DATABASE_WORKER_URL to nimo_worker.',
    ),
  ];
}

/** A pooler in transaction mode loses LISTEN. */
async function checkSignals(databaseUrl: string, directUrl: string): Promise<Finding> {
  const check = 'database signals';
  const isReceived = await withClient(directUrl, async (listener) => {
    const signal = new Promise<true>((resolve) => {
      listener.on('notification', () => resolve(true));
    });
    await listener.query('listen nimo_doctor');
    await withClient(databaseUrl, (client) => client.query(`select pg_notify('nimo_doctor', '')`));
    return withTimeout(signal, SIGNAL_TIMEOUT_MS).catch(() => false);
  });
  if (isReceived) return ok(check, 'LISTEN and NOTIFY work.');
  return broken(
    check,
    'LISTEN receives no notifications, probably because of a connection pooler.',
    'Set DATABASE_DIRECT_URL to connect to the server directly, bypassing the pooler.',
  );
}

const ROUNDS = 4;

/** Checks that a prepared statement outlives its transaction, even behind a pooler. */
async function checkPrepared(databaseUrl: string): Promise<Finding> {
  const check = 'database pooler';
  const prepared = { name: 'nimo_doctor', text: 'select 1' };
  try {
    await withClient(databaseUrl, (client) =>
      withClient(databaseUrl, async (other) => {
        for (let round = 0; round < ROUNDS; round += 1) {
          // Alternating which client holds a server connection forces a pooler to swap them.
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
    return ok(check, 'Prepared statements work across transactions.');
  } catch (error) {
    return broken(
      check,
      `Prepared statements are lost between transactions: ${reasonOf(error)}.`,
      'Use PgBouncer 1.21 or later with max_prepared_statements above 0 (docs/deploying.md).',
    );
  }
}
