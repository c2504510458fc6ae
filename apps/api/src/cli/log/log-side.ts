import { STREAM_PREFIXES } from '@nimo/domain';
import {
  openEventStoreDb,
  type EventStore,
  readEventStoreAddress,
  shownEventStoreAddress,
  PostgresEventStore,
  readChainTip,
  type ChainTip,
  openPool,
} from '@nimo/event-store';
import { InvalidArgumentError } from 'commander';
import type pg from 'pg';
import { eventStoreAddress } from '../../platform/config/setting.js';
import { migrate } from '../../platform/database/migrate.js';
import { type LogEngine, readHome } from '../../platform/runtime/installation.js';
import { UsageError } from '../usage-error.js';
import { COPY_CONNECTION } from './checkpoints.js';

/** The PostgreSQL of this installation, embedded or not. */
export const HERE = 'here';

const POSTGRES = /^postgres(?:ql)?:\/\/[^\s]+$/;

export function sideArgument(given: string): string {
  if (given === HERE || readEventStoreAddress(given) !== undefined || POSTGRES.test(given)) return given;
  throw new InvalidArgumentError(
    `It must be ${HERE}, an address that starts with postgresql://, or ${eventStoreAddress.rule}.`,
  );
}

/** One end of a copy. */
export interface LogSide {
  /** For people: without the secrets of the address. */
  readonly name: string;
  readonly engine: LogEngine;
  readonly log: EventStore;
  /** Whether it keeps the order of appends to several streams that are made in one call. */
  readonly isOrdered: boolean;
  /** How many events it has, where it can tell without reading them. */
  total(): Promise<number | undefined>;
  /** Where the chain beside it ends, if there is one. */
  chainTip(): Promise<ChainTip | undefined>;
  /** Whether it is the PostgreSQL of an installation whose log is there. */
  isHome(): Promise<boolean>;
  close(): Promise<void>;
}

export function openSide(url: string, role: '--from' | '--to'): Promise<LogSide> {
  const eventStore = readEventStoreAddress(url);
  return eventStore ? eventStoreDbSide(url, shownEventStoreAddress(eventStore)) : postgresSide(url, role);
}

async function eventStoreDbSide(url: string, name: string): Promise<LogSide> {
  const log = await openEventStoreDb({ connectionString: url, streamPrefixes: STREAM_PREFIXES });
  return {
    name,
    engine: 'eventstoredb',
    log,
    isOrdered: false,
    total: () => Promise.resolve(undefined),
    chainTip: () => Promise.resolve(undefined),
    isHome: () => Promise.resolve(false),
    close: () => log.close(),
  };
}

/** A source is only read; a target becomes a database of this version. */
async function postgresSide(url: string, role: '--from' | '--to'): Promise<LogSide> {
  const pool = openPool({
    connectionString: url,
    max: 4,
    connectionTimeoutMillis: 10_000,
    application_name: COPY_CONNECTION,
  });
  try {
    await pool.query('SELECT').catch((error: unknown) => {
      throw new UsageError(`${role} ${nameOf(url)} cannot be reached: ${messageOf(error)}.`);
    });
    if (role === '--to') await migrate(url);
    else if (!(await has(pool, 'log.events')))
      throw new UsageError(`${role} ${nameOf(url)} has no log of Nimo.`);
  } catch (error) {
    await pool.end();
    throw error;
  }
  const log = new PostgresEventStore({ pool, directUrl: url });
  return {
    name: nameOf(url),
    engine: 'postgresql',
    log,
    isOrdered: true,
    total: () => log.countAfter(undefined, Number.MAX_SAFE_INTEGER),
    chainTip: async () => ((await has(pool, 'log.chain')) ? readChainTip(pool) : undefined),
    isHome: async () => (await has(pool, 'state.log_home')) && (await readHome(pool)) === 'postgresql',
    close: async () => {
      await log.close();
      await pool.end();
    },
  };
}

async function has(pool: pg.Pool, table: string): Promise<boolean> {
  const { rows } = await pool.query<{ exists: boolean }>('SELECT to_regclass($1) IS NOT NULL AS exists', [
    table,
  ]);
  return rows[0]?.exists === true;
}

/** An address holds a password, and that of the embedded server a socket that tells nobody anything. */
function nameOf(url: string): string {
  const [, scheme = '', rest = ''] = /^([^:]+):\/\/(.*)$/.exec(url) ?? [];
  if (/[?&]host=/.test(rest)) return 'the embedded PostgreSQL';
  const address = rest.replace(/\?.*$/, '').replace(/^.*@/, '');
  return `${scheme}://${address}`;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
