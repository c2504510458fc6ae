import { resolve } from 'node:path';
import { newClient } from '@nimo/event-store';
import pg from 'pg';
import { Attachments } from './attachments.js';
import { ensureCluster, SUPERUSER } from './cluster.js';
import { nativeFiles } from './native-files.js';
import { canReach, operatingUser } from './operating-user.js';
import { ensureRunning, stopServer } from './postmaster.js';
import { serverHome } from './server-home.js';
import { SOCKET_PORT } from './server-settings.js';

export interface EmbeddedPostgres {
  /**
   * Address of a database of this server; the database `nimo` is made on the first start.
   *
   * @param role who logs in; the superuser, who owns everything, unless given
   */
  url(database?: string, role?: string): string;
  /** Starts the server again if it has ended meanwhile. */
  revive(): Promise<void>;
  /** Leaves the server; the last process that leaves stops it. */
  detach(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** The product's data folder; everything of the server is in `postgres` below. */
  readonly dataFolder: string;
  /** False only where the data may be lost with the machine: tests. */
  readonly durable?: boolean;
}

const PRODUCT_DATABASE = 'nimo';

/** Attaches this process to the PostgreSQL of the data folder, creating and starting it as needed. */
export async function attachEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const user = operatingUser();
  const home = await serverHome(resolve(options.dataFolder), user);
  const attachments = new Attachments(home.attached);
  await attachments.enter();
  const leave = (): Promise<void> => attachments.leave(() => stopServer(home));
  try {
    const native = await nativeFiles(user, home.folder);
    await ensureCluster(native, home, user);
    const start = { native, home, user, durable: options.durable ?? true };
    const socketFolder = await ensureRunning(start);
    await ensureDatabase(socketFolder);
    return {
      url: (database = PRODUCT_DATABASE, role = SUPERUSER) => socketUrl(socketFolder, database, role),
      revive: async () => {
        await ensureRunning(start);
      },
      detach: once(leave),
    };
  } catch (error) {
    await leave();
    throw error;
  }
}

/** Stops a server whose users were all killed; false when somebody still uses it. */
export async function stopAbandonedPostgres(dataFolder: string): Promise<boolean> {
  const user = operatingUser();
  const home = await serverHome(resolve(dataFolder), user);
  if (!canReach(user, home.folder)) return false;
  const attachments = new Attachments(home.attached);
  let isStopped = false;
  await attachments.leave(async () => {
    await stopServer(home);
    isStopped = true;
  });
  return isStopped;
}

function socketUrl(socketFolder: string, database: string, role = SUPERUSER): string {
  return `postgresql://${role}@localhost:${SOCKET_PORT}/${database}?host=${encodeURIComponent(socketFolder)}`;
}

async function ensureDatabase(socketFolder: string): Promise<void> {
  const client = newClient({ connectionString: socketUrl(socketFolder, 'postgres') });
  await client.connect();
  try {
    const { rowCount } = await client.query('SELECT FROM pg_database WHERE datname = $1', [PRODUCT_DATABASE]);
    if (rowCount === 0) await client.query(`CREATE DATABASE ${PRODUCT_DATABASE}`);
  } catch (error) {
    const isMadeByAnother =
      error instanceof pg.DatabaseError && ['42P04', '23505'].includes(error.code ?? '');
    if (!isMadeByAnother) throw error;
  } finally {
    await client.end();
  }
}

function once(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= action());
}
