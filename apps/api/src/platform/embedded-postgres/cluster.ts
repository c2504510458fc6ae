import { existsSync, lstatSync, statfsSync } from 'node:fs';
import { totalmem } from 'node:os';
import { createHash } from 'node:crypto';
import { chmod, chown, mkdir, mkdtemp, readFile, realpath, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import {
  canAccess,
  EmbeddedPostgresError,
  errorCode,
  type NativeFiles,
  withPathErrors,
  type OperatingUser,
} from './native-files.js';

const MEGABYTE = 1024 * 1024;
const MIN_SHARED_BUFFERS_MB = 64;
const MAX_SHARED_BUFFERS_MB = 1024;
const MIN_SHARED_MEMORY_MB = 256;

export const SOCKET_PORT = 5432;

/** Server settings, passed on the command line so that they also apply to clusters created by earlier versions. */
export function serverSettings(socketFolder: string, durable: boolean): string[] {
  const memory = Math.floor(totalmem() / MEGABYTE);
  const sharedBuffers = Math.min(
    MAX_SHARED_BUFFERS_MB,
    Math.max(MIN_SHARED_BUFFERS_MB, Math.floor(memory / 8)),
  );
  const settings: Record<string, string> = {
    listen_addresses: '',
    unix_socket_directories: socketFolder,
    unix_socket_permissions: '0700',
    port: String(SOCKET_PORT),
    max_connections: '200',
    shared_buffers: `${sharedBuffers}MB`,
    effective_cache_size: `${Math.max(MIN_SHARED_BUFFERS_MB, Math.floor(memory / 2))}MB`,
    work_mem: '16MB',
    maintenance_work_mem: '128MB',
    max_wal_size: '2GB',
    wal_compression: 'pglz',
    checkpoint_timeout: '15min',
    random_page_cost: '1.1',
    jit: 'off',
    timezone: 'UTC',
    log_timezone: 'UTC',
    // Callers report statement errors; logging them would write personal data to a file.
    log_min_messages: 'log',
    log_checkpoints: 'off',
    dynamic_shared_memory_type: hasSharedMemory() ? 'posix' : 'mmap',
    ...(durable
      ? {}
      : {
          // For tests, which need no durability but many connections.
          fsync: 'off',
          synchronous_commit: 'off',
          full_page_writes: 'off',
          autovacuum: 'off',
          max_connections: '400',
        }),
  };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** Containers limit /dev/shm to 64 MB by default, too little for parallel queries. */
function hasSharedMemory(): boolean {
  if (process.platform !== 'linux') return true;
  try {
    const { bsize, blocks } = statfsSync('/dev/shm');
    return bsize * blocks >= MIN_SHARED_MEMORY_MB * MEGABYTE;
  } catch {
    return false;
  }
}

const FALLBACK_FOLDER = '/var/lib/nimo';

export interface ServerHome {
  /** Registry of attached processes. */
  readonly attached: string;
  /** The server's folder: its data, and copied binaries. */
  readonly folder: string;
  readonly cluster: string;
  readonly socketFolder: string;
  readonly log: string;
}

/**
 * `<data>/postgres`. If the server's user cannot access root's data folder, `<data>/postgres/server` is a link to a folder under
 * /var/lib.
 */
export async function serverHome(dataFolder: string, user: OperatingUser): Promise<ServerHome> {
  const ours = join(dataFolder, 'postgres');
  const logs = join(dataFolder, 'logs');
  await withPathErrors(dataFolder, async () => {
    await mkdir(ours, { recursive: true });
    await mkdir(logs, { recursive: true });
  });
  const real = await realpath(ours);
  const name = createHash('sha256').update(real).digest('hex').slice(0, 12);
  return {
    attached: join(real, 'attached'),
    ...(await serverFolder(real, user)),
    socketFolder: join('/tmp', `nimo-postgres-${name}`),
    log: join(await realpath(logs), 'postgres.log'),
  };
}

async function serverFolder(
  ours: string,
  user: OperatingUser,
): Promise<Pick<ServerHome, 'folder' | 'cluster'>> {
  const link = join(ours, 'server');
  if (!existsSync(link) && !canAccess(user, ours)) await linkToFallbackFolder(link);
  await withPathErrors(link, () => mkdir(link, { recursive: true }));
  const folder = await realpath(link);
  if (user.isOther) await withPathErrors(folder, () => chown(folder, user.uid, user.gid));
  return { folder, cluster: join(folder, 'cluster') };
}

/** Always a new folder, so that one that outlived its data folder is never reused. */
async function linkToFallbackFolder(link: string): Promise<void> {
  const elsewhere = await withPathErrors(FALLBACK_FOLDER, async () => {
    await mkdir(FALLBACK_FOLDER, { recursive: true });
    await chmod(FALLBACK_FOLDER, 0o711);
    return mkdtemp(join(FALLBACK_FOLDER, 'server-'));
  });
  await symlink(elsewhere, link).catch(async (error: unknown) => {
    await rm(elsewhere, { recursive: true });
    if (errorCode(error) !== 'EEXIST') throw error;
  });
}

/** Creates the socket folder: in /tmp, since socket paths are limited to 104 bytes, so its ownership must be checked. */
export async function makeSocketFolder(path: string, user: OperatingUser): Promise<void> {
  try {
    await withPathErrors(path, () => mkdir(path, { mode: 0o700 }));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  }
  const found = lstatSync(path);
  if (!found.isDirectory() || ![user.uid, process.getuid?.()].includes(found.uid)) {
    throw new EmbeddedPostgresError(
      `${path} belongs to another user. Remove it: PostgreSQL needs it for its socket.`,
    );
  }
  if (user.isOther) await chown(path, user.uid, user.gid);
  await chmod(path, 0o700);
}

export const SUPERUSER = 'nimo';
const MAJOR_VERSION = '18';

/**
 * PostgreSQL's builtin locale sorts by code point, so order is the same on every machine. The C library only classifies characters for the
 * full-text parser: without a UTF-8 locale it treats « and the no-break space as letters.
 */
const LOCALE = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
const CHARACTER_CLASSES = ['C.UTF-8', 'C.utf8', 'en_US.UTF-8', 'C'];

const run = promisify(execFile);

export async function ensureCluster(
  native: NativeFiles,
  home: ServerHome,
  user: OperatingUser,
): Promise<void> {
  if (!existsSync(join(home.cluster, 'PG_VERSION'))) return createCluster(native, home, user);
  const version = (await readFile(join(home.cluster, 'PG_VERSION'), 'utf8')).trim();
  if (version === MAJOR_VERSION) return;
  throw new EmbeddedPostgresError(
    `${home.cluster} was created by PostgreSQL ${version}, but this is ${MAJOR_VERSION}. Dump it with the old version and restore it with this one.`,
  );
}

/** Creates the cluster in a temporary folder and renames it, which is atomic and safe against concurrent processes. */
async function createCluster(native: NativeFiles, home: ServerHome, user: OperatingUser): Promise<void> {
  const unfinished = await withPathErrors(home.folder, () => mkdtemp(join(home.folder, 'creating-')));
  try {
    if (user.isOther) await chown(unfinished, user.uid, user.gid);
    const cluster = join(unfinished, 'cluster');
    await initdb(native, cluster, user);
    await rename(cluster, home.cluster).catch((error: unknown) => {
      if (!['ENOTEMPTY', 'EEXIST'].includes(errorCode(error) ?? '')) throw error;
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function initdb(native: NativeFiles, cluster: string, user: OperatingUser): Promise<void> {
  const failures: string[] = [];
  for (const classes of CHARACTER_CLASSES) {
    const failure = await tryInitdb(native, cluster, user, `--lc-ctype=${classes}`);
    if (failure === undefined) return;
    failures.push(failure);
    if (!failure.includes('locale')) break;
  }
  throw new EmbeddedPostgresError(`PostgreSQL could not create its data: ${failures.at(-1) ?? 'unknown'}`);
}

async function tryInitdb(
  native: NativeFiles,
  cluster: string,
  user: OperatingUser,
  characterClasses: string,
): Promise<string | undefined> {
  const identity = user.isOther ? { uid: user.uid, gid: user.gid } : {};
  try {
    await run(
      native.initdb,
      ['-D', cluster, '-U', SUPERUSER, '--auth=trust', '--no-instructions', ...LOCALE, characterClasses],
      { ...identity, cwd: '/', env: {} },
    );
    return undefined;
  } catch (error) {
    await rm(cluster, { recursive: true, force: true });
    return lastLine(error);
  }
}

function lastLine(error: unknown): string {
  const output = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : '';
  const lines = output.split('\n').filter((line) => /error|fatal|panic|could not/i.test(line));
  return lines.at(-1)?.trim() ?? (error instanceof Error ? error.message : String(error));
}
