import { STREAM_PREFIXES } from '@nimo/domain';
import {
  chainCaughtUp,
  type ChainTip,
  emptyCheckpoints,
  type EventStore,
  type HeadsRead,
  lastOrdinals,
  type Mismatch,
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
  staleCheckpoints,
  readCheckpointState,
  checkpointFaults,
  type CheckpointRead,
} from '@nimo/event-store';
import { InvalidArgumentError } from 'commander';
import type pg from 'pg';
import { readFileSync } from 'node:fs';
import { eventStoreAddress } from '../../platform/config/setting.js';
import { migrate } from '../../platform/database/migrate.js';
import { type LogEngine, readLogEngine } from '../../platform/runtime/installation.js';
import { UsageError } from '../failure.js';
import { COPY_CONNECTION } from './checkpoints.js';
import { trustedLogKeys, LogChain, checkpointsOf } from '../../features/log-proof/log-chain.js';
import type { Runtime } from '../../platform/runtime/runtime.js';

/** Alias for the PostgreSQL of this installation, embedded or not. */
export const HERE = 'here';

const POSTGRES = /^postgres(?:ql)?:\/\/[^\s]+$/;

export function endpointArgument(text: string): string {
  if (text === HERE || readEventStoreAddress(text) !== undefined || POSTGRES.test(text)) return text;
  throw new InvalidArgumentError(
    `It must be ${HERE}, an address that starts with postgresql://, or ${eventStoreAddress.rule}.`,
  );
}

/** Source or target of a copy. */
export interface LogEndpoint {
  /** Address without secrets, for display. */
  readonly name: string;
  readonly engine: LogEngine;
  readonly log: EventStore;
  /** Whether appends to several streams in one call keep their order. */
  readonly isOrdered: boolean;
  /** Number of events; undefined if the engine cannot count without reading them. */
  total(): Promise<number | undefined>;
  /** End of its chain, if it has one. */
  chainTip(): Promise<ChainTip | undefined>;
  /** Whether it is the PostgreSQL of an installation that keeps its log in PostgreSQL. */
  isHome(): Promise<boolean>;
  close(): Promise<void>;
}

export function openEndpoint(url: string, role: '--from' | '--to'): Promise<LogEndpoint> {
  const eventStore = readEventStoreAddress(url);
  return eventStore
    ? eventStoreDbEndpoint(url, shownEventStoreAddress(eventStore))
    : postgresEndpoint(url, role);
}

async function eventStoreDbEndpoint(url: string, name: string): Promise<LogEndpoint> {
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

/** Only a target is migrated; a source is never changed. */
async function postgresEndpoint(url: string, role: '--from' | '--to'): Promise<LogEndpoint> {
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
    else if (!(await hasTable(pool, 'log.events')))
      throw new UsageError(`${role} ${nameOf(url)} contains no Nimo event log.`);
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
    chainTip: async () => ((await hasTable(pool, 'log.chain')) ? readChainTip(pool) : undefined),
    isHome: async () => {
      // Not yet migrated, a source has the table under its former name.
      for (const table of ['state.log_engine', 'state.log_home'] as const)
        if (await hasTable(pool, table)) return (await readLogEngine(pool, table)) === 'postgresql';
      return false;
    },
    close: async () => {
      await log.close();
      await pool.end();
    },
  };
}

async function hasTable(pool: pg.Pool, table: string): Promise<boolean> {
  const { rows } = await pool.query<{ exists: boolean }>('select to_regclass($1) is not null as exists', [
    table,
  ]);
  return rows[0]?.exists === true;
}

/** Address for display, without the password; that of the embedded server is only a socket path. */
function nameOf(url: string): string {
  const [, scheme = '', rest = ''] = /^([^:]+):\/\/(.*)$/.exec(url) ?? [];
  if (/[?&]host=/.test(rest)) return 'the embedded PostgreSQL';
  const address = rest.replace(/\?.*$/, '').replace(/^.*@/, '');
  return `${scheme}://${address}`;
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Parses a public key given as a PEM file, as PEM text or in base64. */
export function publicKeyArgument(text: string, others: readonly PublicKey[] = []): PublicKey[] {
  const key = publicKeyOf(text) ?? publicKeyOf(contentOf(text));
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

export function ordinalArgument(text: string): number {
  const ordinal = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(ordinal) || ordinal < 1)
    throw new InvalidArgumentError('It must be a whole number from 1.');
  return ordinal;
}

/** The current key first, then previous keys and those of other installations. */
export const trustedKeys = ({ settings }: Runtime, others: readonly PublicKey[] = []): PublicKey[] => [
  ...trustedLogKeys(settings),
  ...others,
];

/** Longest acceptable delay until a head is signed and sent to every external checkpoint. */
const CHECKPOINT_GRACE_MS = 3 * 60_000;

interface CheckpointReport extends HeadsRead {
  /** Contradictions between checkpoints, and checkpoints that are missing, unreadable or behind. */
  readonly faults: readonly Mismatch[];
}

type CheckedLog = Pick<Runtime, 'settings' | 'pool' | 'log'>;

/** Reads all external checkpoints and finds their faults. Reverse order of writing: a head signed meanwhile is not reported missing. */
export async function readCheckpoints(
  runtime: CheckedLog & Pick<Runtime, 'clock'>,
  keys: readonly PublicKey[],
): Promise<CheckpointReport> {
  const { settings, pool, clock } = runtime;
  const externalCheckpoints = checkpointsOf(settings, pool);
  const reads: (CheckpointRead & HeadsRead)[] = [];
  for (const checkpoint of externalCheckpoints.toReversed()) {
    try {
      reads.push({ checkpoint, ...(await checkpoint.read()) });
    } catch {
      // Reported below as unreadable.
    }
  }
  const standing = await readCheckpointState({ pool, externalCheckpoints, keys });
  const { ordinal, at } = await readChainPlace(pool);
  const now = clock();
  const isDue = (head: SignedHead): boolean => now.getTime() - Date.parse(head.at) > CHECKPOINT_GRACE_MS;
  const signed = standing.newest;
  // A log that keeps growing must not pass for one that is new or has just been signed.
  const mayBeLate = ordinal > (signed?.ordinal ?? 0) && (!signed || isDue(signed));
  const chained = { ordinal, at: mayBeLate ? earlier(at, await firstUnsigned(runtime, signed)) : at };
  const faults = [
    ...checkpointFaults(reads, keys, lastOrdinals(reads), isDue),
    ...emptyCheckpoints(standing),
    ...staleCheckpoints(standing, { now, chained, graceMs: CHECKPOINT_GRACE_MS }),
  ];
  const details = faults.map(({ detail }) => detail);
  return {
    heads: reads.flatMap(({ heads }) => heads),
    damagedLines: reads.reduce((sum, { damagedLines }) => sum + damagedLines, 0),
    faults: faults.filter(({ detail }, index) => details.indexOf(detail) === index),
  };
}

/** Time at which the first event after the newest signed head was recorded. */
async function firstUnsigned({ log, ...runtime }: CheckedLog, signed: SignedHead | undefined): Promise<Date> {
  const last =
    signed && ((await seekOption(runtime).seek?.(signed.ordinal)) ?? (await scanTo(log, signed.ordinal)));
  const [first] = await log.readAll({ limit: 1, ...(last === undefined ? {} : { after: last }) });
  const recordedAt = first?.metadata['recordedAt'];
  return new Date(typeof recordedAt === 'string' ? recordedAt : NaN);
}

/** Position of the event with that ordinal, for a store without an index by ordinal. */
async function scanTo(log: Runtime['log'], ordinal: number): Promise<Position | undefined> {
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

export const checkpointLines = (faults: readonly string[]): string[] =>
  faults.map((fault) => `CHECKPOINT: ${fault}`);

/** Lets a verification start at an ordinal without reading the events before it, if the log is in PostgreSQL. */
export function seekOption({ settings, pool }: Pick<Runtime, 'settings' | 'pool'>) {
  return settings.eventStoreUrl === undefined
    ? { seek: (ordinal: number) => positionOfOrdinal(pool, ordinal) }
    : {};
}

/** Waits until the chain has reached the end of the log, writing it in this process if no worker does. */
export async function withCompleteChain<Result>(
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
