import { randomUUID } from 'node:crypto';
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { newClient } from '@nimo/event-store';
import pg from 'pg';
import { canAccess, EmbeddedPostgresError, nativeFiles, operatingUser } from './native-files.js';
import { ensureRunning, processIdentity, stopServer } from './postmaster.js';
import { ensureCluster, serverHome, SOCKET_PORT, SUPERUSER } from './cluster.js';

const STOPPING = 'stopping-';
const UNFINISHED = '.';
const STOP_TIMEOUT_MS = 30_000;
const POLL_MS = 20;

/**
 * Registry of processes using the server: one file each, containing the process identity, so that killed processes are recognised.
 *
 * A leaving process writes `stopping` before it checks for others; an entering process registers before it checks for `stopping`. So
 * either the leaving process sees the new one and keeps the server running, or the new one sees `stopping` and waits.
 */
class Attachments {
  private readonly folder: string;
  private readonly own = `${process.pid}-${randomUUID()}`;

  constructor(folder: string) {
    this.folder = folder;
  }

  async enter(): Promise<void> {
    await this.register(this.own);
    const deadline = Date.now() + STOP_TIMEOUT_MS;
    while ((await this.living()).some((name) => name.startsWith(STOPPING))) {
      if (Date.now() > deadline) {
        await this.remove(this.own);
        throw new EmbeddedPostgresError('Another process is stopping PostgreSQL, which does not exit.');
      }
      await delay(POLL_MS);
    }
  }

  /** Runs `stop` if no other process is attached. */
  async leave(stop: () => Promise<void>): Promise<void> {
    await this.remove(this.own);
    const stopping = `${STOPPING}${this.own}`;
    await this.register(stopping);
    try {
      if (!(await this.isUsed())) await stop();
    } finally {
      await this.remove(stopping);
    }
  }

  async isUsed(): Promise<boolean> {
    return (await this.living()).some((name) => !name.startsWith(STOPPING));
  }

  private async living(): Promise<string[]> {
    const names = (await readdir(this.folder).catch(() => [])).filter((name) => !name.startsWith(UNFINISHED));
    const living: string[] = [];
    for (const name of names) {
      const identity = await readFile(join(this.folder, name), 'utf8').catch(() => undefined);
      if (identity === undefined) continue;
      if (processIdentity(Number.parseInt(identity, 10)) === identity) living.push(name);
      else await this.remove(name);
    }
    return living;
  }

  private async register(name: string): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 });
    await chmod(this.folder, 0o700);
    const unfinished = join(this.folder, `${UNFINISHED}${name}`);
    await writeFile(unfinished, processIdentity(process.pid) ?? '', { mode: 0o600 });
    await rename(unfinished, join(this.folder, name));
  }

  private async remove(name: string): Promise<void> {
    await rm(join(this.folder, name), { force: true });
  }
}

export interface EmbeddedPostgres {
  /**
   * URL of a database of this server; the database `nimo` is created at the first start.
   *
   * @param role the superuser by default
   */
  url(database?: string, role?: string): string;
  /** Restarts the server if it has exited. */
  revive(): Promise<void>;
  /** Detaches from the server; the last process stops it. */
  detach(): Promise<void>;
}

export interface EmbeddedPostgresOptions {
  /** The product's data folder; the server uses its subfolder `postgres`. */
  readonly dataFolder: string;
  /** False only in tests, where data may be lost in a crash. */
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

/** Stops a server whose processes were all killed; false when it is still in use. */
export async function stopAbandonedPostgres(dataFolder: string): Promise<boolean> {
  const user = operatingUser();
  const home = await serverHome(resolve(dataFolder), user);
  if (!canAccess(user, home.folder)) return false;
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
    const { rowCount } = await client.query('select from pg_database where datname = $1', [PRODUCT_DATABASE]);
    if (rowCount === 0) await client.query(`create database ${PRODUCT_DATABASE}`);
  } catch (error) {
    const wasCreatedConcurrently =
      error instanceof pg.DatabaseError && ['42P04', '23505'].includes(error.code ?? '');
    if (!wasCreatedConcurrently) throw error;
  } finally {
    await client.end();
  }
}

function once(action: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => (running ??= action());
}
