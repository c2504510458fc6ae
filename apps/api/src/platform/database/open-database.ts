import { kindOfError, newClient, openPool, PIPELINED } from '@nimo/event-store';
import { setTimeout as delay } from 'node:timers/promises';
import pg, { DatabaseError } from 'pg';
import type { Settings } from '../config/load-settings.js';
import { attachEmbeddedPostgres } from '../embedded-postgres/embedded-postgres.js';
import type { DatabaseRole } from './roles.js';

/** Whether the database was unreachable, so that a retry may succeed. */
export const isDatabaseUnavailable = (error: unknown): boolean => kindOfError(error) === 'away';

/** The server is starting up or in crash recovery. */
const CANNOT_CONNECT_NOW = '57P03';
const STARTUP_TIMEOUT_MS = 60_000;
const POLL_MS = 100;
const PROBE_TIMEOUT_MS = 5_000;

/**
 * Waits while the server reports that it is starting up, for when it restarts together with this process. Any other error is left to the
 * caller's first query.
 *
 * @param timeoutMs after which it returns as well
 */
export async function waitForServer(url: string, timeoutMs = STARTUP_TIMEOUT_MS): Promise<void> {
  const end = performance.now() + timeoutMs;
  while ((await isStartingUp(url)) && performance.now() < end) await delay(POLL_MS);
}

async function isStartingUp(url: string): Promise<boolean> {
  const client = newClient({ connectionString: url, connectionTimeoutMillis: PROBE_TIMEOUT_MS });
  client.on('error', () => undefined);
  try {
    await client.connect();
    return false;
  } catch (error) {
    return error instanceof DatabaseError && error.code === CANNOT_CONNECT_NOW;
  } finally {
    await client.end().catch(() => undefined);
  }
}

const BIGINT = pg.types.builtins.INT8;
const CONNECT_TIMEOUT_MS = 10_000;

/**
 * The application_name of a connection. All connections of a process share a prefix, by which rebuilds tell their own statements from
 * others' (build-pace.ts).
 *
 * @param process api, worker or cli
 * @param part purpose of the connection, unless it belongs to the process's pool
 */
export function connectionName(process: string, part?: string): string {
  return part === undefined ? `nimo ${process}` : `nimo ${process} ${part}`;
}

interface PoolOptions {
  readonly url: string;
  readonly size: number;
  /** Shown in pg_stat_activity. */
  readonly name: string;
  /** Called when an idle connection breaks. */
  readonly onIdleError?: (error: Error) => void;
}

/** Parses bigint as number: ours are counts and positions, far below 2^53. */
export function createPool({ url, size, name, onIdleError }: PoolOptions): pg.Pool {
  const options = {
    connectionString: url,
    max: size,
    application_name: name,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    // Pipelines statements of one connection: see the projection runner.
    ...PIPELINED,
    types: { getTypeParser: parserOf },
  };
  return openPool(options, onIdleError);
}

type GetTypeParser = typeof pg.types.getTypeParser;

const parserOf: GetTypeParser = (...args: Parameters<GetTypeParser>): unknown =>
  args[0] === BIGINT && args[1] !== 'binary' ? Number : pg.types.getTypeParser(...args);

interface OpenDatabase {
  /** Settings with the database URL for this process's role, embedded or not. */
  readonly settings: Settings & { readonly databaseUrl: string };
  /** Call after closing the pools: the last process to detach stops the embedded server. */
  close(): Promise<void>;
}

/**
 * Opens the configured PostgreSQL, or the embedded one in the data folder.
 *
 * @param role the process's role; `owner` is for CLI commands that back up, restore and migrate
 */
export async function openDatabase(settings: Settings, role: DatabaseRole | 'owner'): Promise<OpenDatabase> {
  const { databaseUrl, dataDir } = settings;
  if (databaseUrl !== undefined) {
    const url = urlFor(role, { ...settings, databaseUrl });
    await waitForServer(url);
    return { settings: withAddress(settings, url), close: () => Promise.resolve() };
  }
  const server = await attachEmbeddedPostgres({ dataFolder: dataDir });
  const owner = server.url();
  await waitForServer(owner);
  return {
    settings: {
      ...settings,
      databaseOwnerUrl: owner,
      databaseUrl: role === 'owner' ? owner : server.url(undefined, role),
    },
    close: () => server.detach(),
  };
}

type ExternalSettings = Settings & { readonly databaseUrl: string };

function urlFor(role: DatabaseRole | 'owner', settings: ExternalSettings): string {
  const { databaseUrl, databaseOwnerUrl, databaseWorkerUrl } = settings;
  if (role === 'owner') return databaseOwnerUrl ?? databaseUrl;
  return role === 'nimo_worker' ? (databaseWorkerUrl ?? databaseUrl) : databaseUrl;
}

/** Applies the role to the direct URL, which bypasses a pooler, too. */
function withAddress(settings: Settings, databaseUrl: string): ExternalSettings {
  if (databaseUrl === settings.databaseUrl) return { ...settings, databaseUrl };
  const { databaseDirectUrl } = settings;
  if (databaseDirectUrl === undefined) return { ...settings, databaseUrl };
  const [direct, pooled] = [new URL(databaseDirectUrl), new URL(databaseUrl)];
  direct.username = pooled.username;
  direct.password = pooled.password;
  return { ...settings, databaseUrl, databaseDirectUrl: direct.href };
}
