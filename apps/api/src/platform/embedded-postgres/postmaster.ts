import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError, type NativeFiles, onPath, type OperatingUser } from './native-files.js';
import { makeSocketFolder, type ServerHome, serverSettings } from './cluster.js';

const LINUX_STATE = 0;
const LINUX_START_TIME = 19;

/**
 * A living process as a string that no later process with the same number has; undefined when it is gone.
 * Numbers come back quickly in containers, and a killed child whose parent does not reap it stays as a zombie: both count as gone.
 */
export function processIdentity(pid: number): string | undefined {
  return process.platform === 'linux' ? linuxIdentity(pid) : listedIdentity(pid);
}

/** The command line of a living process, its parts joined by spaces. */
function processCommand(pid: number): string | undefined {
  if (process.platform !== 'linux') return listed(pid, 'command=');
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return undefined;
  }
}

function linuxIdentity(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program's name may contain spaces and brackets; the fields follow the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isDead = ['Z', 'X'].includes(fields[LINUX_STATE] ?? 'X');
    return isDead ? undefined : `${pid}@${fields[LINUX_START_TIME] ?? ''}`;
  } catch {
    return undefined;
  }
}

function listedIdentity(pid: number): string | undefined {
  const state = listed(pid, 'state=');
  if (state === undefined || state.startsWith('Z')) return undefined;
  return `${pid}@${listed(pid, 'lstart=') ?? ''}`;
}

function listed(pid: number, column: string): string | undefined {
  try {
    const output = execFileSync('ps', ['-o', column, '-p', String(pid)], {
      encoding: 'utf8',
      env: { ...process.env, LC_ALL: 'C' },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return output.trim() === '' ? undefined : output.trim();
  } catch {
    return undefined;
  }
}

const START_PATIENCE_MS = 60_000;
const STOP_PATIENCE_MS = 20_000;
const POLL_MS = 10;
const RETRY_MS = 200;
const MAX_LOG_BYTES = 10_000_000;

const PID_LINE = 0;
const SOCKET_LINE = 4;
const STATUS_LINE = 7;

/** The server that runs on a data folder, as its own lock file `postmaster.pid` tells. */
interface RunningServer {
  readonly pid: number;
  readonly identity: string;
  readonly socketFolder: string;
  readonly status: string;
}

interface Start {
  readonly native: NativeFiles;
  readonly home: ServerHome;
  readonly user: OperatingUser;
  readonly durable: boolean;
}

/** Attaches to the server of this folder or starts one; answers the folder of its socket. */
export async function ensureRunning(start: Start): Promise<string> {
  const deadline = Date.now() + START_PATIENCE_MS;
  let lastFailure = 'it did not get ready in time';
  while (Date.now() < deadline) {
    const server = await runningServer(start.home.cluster);
    if (server?.status === 'ready') return server.socketFolder;
    if (server === undefined) {
      const failure = await startOnce(start, deadline);
      if (failure === undefined) continue;
      if (!isPassing(failure))
        throw new EmbeddedPostgresError(`PostgreSQL did not start: ${failure} (log: ${start.home.log})`);
      lastFailure = failure;
      await delay(RETRY_MS);
    } else await delay(POLL_MS);
  }
  throw new EmbeddedPostgresError(`PostgreSQL did not start: ${lastFailure} (log: ${start.home.log})`);
}

/** Ends connections and writes everything out; a server that does not end by itself is killed and recovers at its next start. */
export async function stopServer({ cluster, socketFolder }: ServerHome): Promise<void> {
  const server = await runningServer(cluster);
  if (server !== undefined) await end(server);
  await rm(socketFolder, { recursive: true, force: true });
}

async function end(server: RunningServer): Promise<void> {
  signal(server.pid, 'SIGINT');
  const deadline = Date.now() + STOP_PATIENCE_MS;
  while (processIdentity(server.pid) === server.identity) {
    if (Date.now() > deadline) {
      signal(server.pid, 'SIGKILL');
      return;
    }
    await delay(POLL_MS);
  }
}

async function runningServer(cluster: string): Promise<RunningServer | undefined> {
  const lines = await readFile(join(cluster, 'postmaster.pid'), 'utf8').then(
    (text) => text.split('\n').map((line) => line.trim()),
    () => [],
  );
  const pid = Math.abs(Number(lines[PID_LINE]));
  if (!Number.isInteger(pid) || pid === 0) return undefined;
  const identity = processIdentity(pid);
  if (identity === undefined || !isServerOf(pid, cluster)) return undefined;
  return { pid, identity, socketFolder: lines[SOCKET_LINE] ?? '', status: lines[STATUS_LINE] ?? 'starting' };
}

/** After a crash the number in the lock file may belong to any other program. */
function isServerOf(pid: number, cluster: string): boolean {
  return processCommand(pid)?.includes(cluster) ?? false;
}

/** Answers the reason when the server ended instead of getting ready. */
async function startOnce(
  { native, home, user, durable }: Start,
  deadline: number,
): Promise<string | undefined> {
  await removeStaleLock(home.cluster);
  await makeSocketFolder(home.socketFolder, user);
  const logStart = await openLog(home.log);
  const descriptor = openSync(home.log, 'a', 0o600);
  // In a session of its own: Ctrl-C at the console must reach the server last.
  const child = spawn(native.postgres, ['-D', home.cluster, ...serverSettings(home.socketFolder, durable)], {
    ...(user.isOther ? { uid: user.uid, gid: user.gid } : {}),
    cwd: '/',
    env: {},
    detached: true,
    stdio: ['ignore', descriptor, descriptor],
  });
  closeSync(descriptor);
  child.unref();
  let failure: string | undefined;
  child.once('error', (error) => (failure = error.message));
  child.once('exit', (code, by) => (failure ??= `it ended with ${by ?? `exit code ${code ?? 'unknown'}`}`));
  while (failure === undefined && Date.now() < deadline) {
    if ((await runningServer(home.cluster))?.status === 'ready') break;
    await delay(POLL_MS);
  }
  child.removeAllListeners();
  return failure === undefined ? undefined : `${failure}: ${await lastWords(home.log, logStart)}`;
}

/** PostgreSQL believes a lock file whose process number is alive, whoever that is: in containers often another program. */
async function removeStaleLock(cluster: string): Promise<void> {
  if ((await runningServer(cluster)) === undefined)
    await rm(join(cluster, 'postmaster.pid'), { force: true });
}

async function openLog(log: string): Promise<number> {
  return onPath(log, async () => {
    const size = await stat(log).then(
      ({ size: bytes }) => bytes,
      () => 0,
    );
    if (size <= MAX_LOG_BYTES) return size;
    await truncate(log);
    return 0;
  });
}

async function lastWords(log: string, from: number): Promise<string> {
  const text = (await readFile(log)).subarray(from).toString('utf8');
  const reasons = text.split('\n').filter((line) => /FATAL|PANIC|error while loading/.test(line));
  return reasons.at(-1)?.replace(/^.*?(?:FATAL|PANIC):\s*/, '') ?? 'it gave no reason';
}

/** Somebody else starts or stops it, or the processes of a killed server have not noticed its end yet. */
function isPassing(failure: string): boolean {
  return /lock file .* (?:already exists|is empty)|pre-existing shared memory|still in use|another (?:server|postmaster)/i.test(
    failure,
  );
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It ended in between, which is what was wanted.
  }
}
