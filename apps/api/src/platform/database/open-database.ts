import { kindOfError, newClient, openPool, PIPELINED } from '@nimo/event-store';
import { setTimeout as delay } from 'node:timers/promises';
import pg, { DatabaseError } from 'pg';
import type { Settings } from '../config/load-settings.js';
import { attachEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';
import type { DatabaseRole } from './roles.js';

/** The database did not answer, so that the same request may well succeed in a moment. */
export const isDatabaseAway = (error: unknown): boolean => kindOfError(error) === 'away';

/** SQLSTATE cannot_connect_now: the server starts, or recovers from a crash. */
const NOT_NOW = '57P03';
const WAITS_MS = 60_000;
const LOOK_EVERY_MS = 100;
/** A server that says nothing at all is no business of ours. */
const ANSWERS_WITHIN_MS = 5_000;

/**
 * Waits for a server that says that it is on its way: where it and a process went down together, the process is back first. What else is
 * wrong with the address, whoever uses it is told.
 *
 * @param waitsMs at most, after which that is told too
 */
export async function untilTakingConnections(url: string, waitsMs = WAITS_MS): Promise<void> {
  const end = performance.now() + waitsMs;
  while ((await isOnItsWay(url)) && performance.now() < end) await delay(LOOK_EVERY_MS);
}

async function isOnItsWay(url: string): Promise<boolean> {
  const client = newClient({ connectionString: url, connectionTimeoutMillis: ANSWERS_WITHIN_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return false;
  } catch (error) {
    return error instanceof DatabaseError && error.code === NOT_NOW;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const BIGINT = pg.types.builtins.INT8;
const CONNECT_PATIENCE_MS = 10_000;

/**
 * By what pg_stat_activity tells whose a connection is: all of one process begin alike, which is how a build knows its own process's statements
 * from others' (build-pace.ts).
 *
 * @param process api, worker or cli
 * @param part what the connection is for, where it is not the process's pool
 */
export function connectionName(process: string, part?: string): string {
  return part === undefined ? `nimo ${process}` : `nimo ${process} ${part}`;
}

interface PoolOptions {
  readonly url: string;
  readonly size: number;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  /** Told of an idle connection that broke. */
  readonly onIdleError?: (error: Error) => void;
}

/** Reads bigint as number: ours are counts and positions, far below 2^53. */
export function createPool({ url, size, name, onIdleError }: PoolOptions): pg.Pool {
  const options = {
    connectionString: url,
    max: size,
    application_name: name,
    connectionTimeoutMillis: CONNECT_PATIENCE_MS,
    keepAlive: true,
    // Statements of one connection may be sent without waiting for each other: see the runner of the projections.
    ...PIPELINED,
    types: { getTypeParser: parserOf },
  };
  return openPool(options, onIdleError);
}

type GetTypeParser = typeof pg.types.getTypeParser;

const parserOf: GetTypeParser = (...wanted: Parameters<GetTypeParser>): unknown =>
  wanted[0] === BIGINT && wanted[1] !== 'binary' ? Number : pg.types.getTypeParser(...wanted);

interface OpenDatabase {
  /** With the address of the database for this process's role, embedded or not. */
  readonly settings: Settings & { readonly databaseUrl: string };
  /** After the pools are closed: the last process out stops the embedded server. */
  close(): Promise<void>;
}

/**
 * The configured PostgreSQL, or the embedded one of the data folder.
 *
 * @param role as whom this process works: the owner is for the command line, which backs up, restores and moves the log
 */
export async function openDatabase(settings: Settings, role: DatabaseRole | 'owner'): Promise<OpenDatabase> {
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl !== undefined) {
    const url = urlFor(role, { ...settings, databaseUrl });
    await untilTakingConnections(url);
    return { settings: withAddress(settings, url), close: () => Promise.resolve() };
  }
  const server = await attachEmbeddedPostgres({ dataFolder: dataDir });
  const owner = server.url();
  await untilTakingConnections(owner);
  return {
    settings: {
      ...settings,
      databaseOwnerUrl: owner,
      databaseUrl: role === 'owner' ? owner : server.url(undefined, role),
    },
    close: () => server.detach(),
  };
}

type External = Settings & { readonly databaseUrl: string };

function urlFor(role: DatabaseRole | 'owner', settings: External): string {
  const { databaseUrl, databaseOwnerUrl, databaseWorkerUrl } = settings;
  if (role === 'owner') return databaseOwnerUrl ?? databaseUrl;
  return role === 'nimo_worker' ? (databaseWorkerUrl ?? databaseUrl) : databaseUrl;
}

/** The address past a pooler is for the same role. */
function withAddress(settings: Settings, databaseUrl: string): External {
  if (databaseUrl === settings.databaseUrl) return { ...settings, databaseUrl };
  const { databaseDirectUrl } = settings;
  if (databaseDirectUrl === undefined) return { ...settings, databaseUrl };
  const [direct, given] = [new URL(databaseDirectUrl), new URL(databaseUrl)];
  direct.username = given.username;
  direct.password = given.password;
  return { ...settings, databaseUrl, databaseDirectUrl: direct.href };
}
