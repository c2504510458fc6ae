import { STREAM_PREFIXES } from '@nimo/domain';
import {
  chainCaughtUp,
  type ChainTip,
  emptyWitnesses,
  type EventStore,
  type HeadsRead,
  lastsOf,
  type Misfit,
  openEventStoreDb,
  openPool,
  type Position,
  positionOfOrdinal,
  PostgresEventStore,
  type PublicKey,
  publicKeyOf,
  readChainPlace,
  readChainTip,
  readEventStoreAddress,
  shownEventStoreAddress,
  type SignedHead,
  staleWitnesses,
  standingHeads,
  witnessFaults,
  type WitnessRead,
} from '@nimo/event-store';
import { InvalidArgumentError } from 'commander';
import type pg from 'pg';
import { readFileSync } from 'node:fs';
import { eventStoreAddress } from '../../platform/config/setting.js';
import { migrate } from '../../platform/database/migrate.js';
import { type LogEngine, readHome } from '../../platform/runtime/installation.js';
import { UsageError } from '../failure.js';
import { COPY_CONNECTION } from './checkpoints.js';
import { believedLogKeys, LogChain, witnessesOf } from '../../features/log-proof/log-chain.js';
import type { Runtime } from '../../platform/runtime/runtime.js';

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
    await pool.query('select').catch((error: unknown) => {
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
  const { rows } = await pool.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [
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

/** A public key as people hand it over: a file, PEM or the line that `log public-key` prints. */
export function publicKeyArgument(given: string, others: readonly PublicKey[] = []): PublicKey[] {
  const key = publicKeyOf(given) ?? publicKeyOf(contentOf(given));
  if (!key)
    throw new InvalidArgumentError('It must be an Ed25519 public key: a PEM file, or 32 bytes in base64.');
  return [...others, key];
}

function contentOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

export function ordinalArgument(given: string): number {
  const ordinal = Number(given);
  if (!/^\d+$/.test(given) || !Number.isSafeInteger(ordinal) || ordinal < 1)
    throw new InvalidArgumentError('It must be a whole number from 1.');
  return ordinal;
}

/** Own key first, then former or foreign ones. */
export const believedKeys = ({ settings }: Runtime, others: readonly PublicKey[] = []): PublicKey[] => [
  ...believedLogKeys(settings),
  ...others,
];

/** How old may be what is not signed, or not told to a witness. */
const PATIENCE_MS = 3 * 60_000;

interface WitnessLook extends HeadsRead {
  /** What they contradict each other in, and those that are missing, cannot be read or are behind. */
  readonly faults: readonly Misfit[];
}

type WitnessedLog = Pick<Runtime, 'settings' | 'pool' | 'log'>;

/** What every witness has, in one list, and what is wrong with them. In the order in which nothing can be missing for being new. */
export async function lookAtWitnesses(
  runtime: WitnessedLog & Pick<Runtime, 'clock'>,
  keys: readonly PublicKey[],
): Promise<WitnessLook> {
  const { settings, pool, clock } = runtime;
  const witnesses = witnessesOf(settings, pool);
  const reads: (WitnessRead & HeadsRead)[] = [];
  for (const witness of witnesses.toReversed()) {
    try {
      reads.push({ witness, ...(await witness.read()) });
    } catch {
      // Told below as not to be read.
    }
  }
  const standing = await standingHeads({ pool, witnesses, keys });
  const { ordinal, at } = await readChainPlace(pool);
  const now = clock();
  const isDue = (head: SignedHead): boolean => now.getTime() - Date.parse(head.at) > PATIENCE_MS;
  const signed = standing.newest;
  // Events that go on coming must not pass for a log that is new, or was signed just now.
  const mayBeLate = ordinal > (signed?.ordinal ?? 0) && (!signed || isDue(signed));
  const chained = { ordinal, at: mayBeLate ? earlier(at, await firstUnsigned(runtime, signed)) : at };
  const faults = [
    ...witnessFaults(reads, keys, lastsOf(reads), isDue),
    ...emptyWitnesses(standing),
    ...staleWitnesses(standing, { now, chained, patienceMs: PATIENCE_MS }),
  ];
  const details = faults.map(({ detail }) => detail);
  return {
    heads: reads.flatMap(({ heads }) => heads),
    damagedLines: reads.reduce((sum, { damagedLines }) => sum + damagedLines, 0),
    faults: faults.filter(({ detail }, index) => details.indexOf(detail) === index),
  };
}

/** When the first event behind the newest signed head was recorded. */
async function firstUnsigned(
  { log, ...runtime }: WitnessedLog,
  signed: SignedHead | undefined,
): Promise<Date> {
  const last =
    signed && ((await seekIn(runtime).seek?.(signed.ordinal)) ?? (await walkTo(log, signed.ordinal)));
  const [first] = await log.readAll({ limit: 1, ...(last === undefined ? {} : { after: last }) });
  const recordedAt = first?.metadata['recordedAt'];
  return new Date(typeof recordedAt === 'string' ? recordedAt : NaN);
}

/** Position of the event with that ordinal, in a store that does not count its events. */
async function walkTo(log: Runtime['log'], ordinal: number): Promise<Position | undefined> {
  let last: Position | undefined;
  for (let left = ordinal; left > 0;) {
    const events = await log.readAll({
      limit: Math.min(left, 1_000),
      ...(last === undefined ? {} : { after: last }),
    });
    if (events.length === 0) break;
    last = events.at(-1)?.position;
    left -= events.length;
  }
  return last;
}

const earlier = (left: Date, right: Date): Date => (right.getTime() < left.getTime() ? right : left);

/** For a person to read, one a line. */
export const witnessLines = (faults: readonly string[]): string[] =>
  faults.map((fault) => `WITNESS: ${fault}`);

/** Where the log is in this database, an ordinal is found without reading what lies before. */
export function seekIn({ settings, pool }: Pick<Runtime, 'settings' | 'pool'>) {
  return settings.eventStoreUrl === undefined
    ? { seek: (ordinal: number) => positionOfOrdinal(pool, ordinal) }
    : {};
}

/** Has the chain written up to the end of the log: by the worker, or here where none runs. */
export async function withWholeChain<Result>(
  { pool, log, settings, logger, clock }: Runtime,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const chain = new LogChain(pool, log, settings, logger, clock);
  chain.start();
  try {
    await chainCaughtUp(() => readChainPlace(pool), log, { signal });
    return await work();
  } finally {
    await chain.stop();
  }
}
