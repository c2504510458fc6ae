import { execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import {
  EmbeddedPostgresError,
  type NativeFiles,
  withPathErrors,
  type OperatingUser,
} from './native-files.js';
import { makeSocketFolder, type ServerHome, serverSettings } from './cluster.js';

const LINUX_STATE = 0;
const LINUX_START_TIME = 19;

/**
 * Identifies a running process beyond its PID, which containers reuse quickly; undefined when it is gone. Zombies count as gone.
 */
export function processIdentity(pid: number): string | undefined {
  return process.platform === 'linux' ? linuxIdentity(pid) : listedIdentity(pid);
}

/** The command line of a running process, joined by spaces. */
function processCommand(pid: number): string | undefined {
  if (process.platform !== 'linux') return psColumn(pid, 'command=');
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
  } catch {
    return undefined;
  }
}

function linuxIdentity(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program name may contain spaces and parentheses; fields follow the last one.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const isDead = ['Z', 'X'].includes(fields[LINUX_STATE] ?? 'X');
    return isDead ? undefined : `${pid}@${fields[LINUX_START_TIME] ?? ''}`;
  } catch {
    return undefined;
  }
}

function listedIdentity(pid: number): string | undefined {
  const state = psColumn(pid, 'state=');
  if (state === undefined || state.startsWith('Z')) return undefined;
  return `${pid}@${psColumn(pid, 'lstart=') ?? ''}`;
}

function psColumn(pid: number, column: string): string | undefined {
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

const START_TIMEOUT_MS = 60_000;
const STOP_TIMEOUT_MS = 20_000;
const POLL_MS = 10;
const RETRY_MS = 200;
const MAX_LOG_BYTES = 10_000_000;

const PID_LINE = 0;
const SOCKET_LINE = 4;
const STATUS_LINE = 7;

/** A running server, from its lock file `postmaster.pid`. */
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

/** Finds the running server of this folder or starts one. @returns its socket folder */
export async function ensureRunning(start: Start): Promise<string> {
  const deadline = Date.now() + START_TIMEOUT_MS;
  let lastFailure = 'it was not ready in time';
  while (Date.now() < deadline) {
    const server = await runningServer(start.home.cluster);
    if (server?.status === 'ready') return server.socketFolder;
    if (server === undefined) {
      const failure = await startOnce(start, deadline);
      if (failure === undefined) continue;
      if (!isTransient(failure))
        throw new EmbeddedPostgresError(`PostgreSQL did not start: ${failure} (log: ${start.home.log})`);
      lastFailure = failure;
      await delay(RETRY_MS);
    } else await delay(POLL_MS);
  }
  throw new EmbeddedPostgresError(`PostgreSQL did not start: ${lastFailure} (log: ${start.home.log})`);
}

/** Shuts the server down fast; kills it after a timeout, whereupon it recovers at the next start. */
export async function stopServer({ cluster, socketFolder }: ServerHome): Promise<void> {
  const server = await runningServer(cluster);
  if (server !== undefined) await end(server);
  await rm(socketFolder, { recursive: true, force: true });
}

async function end(server: RunningServer): Promise<void> {
  signal(server.pid, 'SIGINT');
  const deadline = Date.now() + STOP_TIMEOUT_MS;
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

/** After a crash the PID in the lock file may belong to another program. */
function isServerOf(pid: number, cluster: string): boolean {
  return processCommand(pid)?.includes(cluster) ?? false;
}

/** @returns why the server exited before it was ready; undefined otherwise */
async function startOnce(
  { native, home, user, durable }: Start,
  deadline: number,
): Promise<string | undefined> {
  await removeStaleLock(home.cluster);
  await makeSocketFolder(home.socketFolder, user);
  const logStart = await openLog(home.log);
  const descriptor = openSync(home.log, 'a', 0o600);
  // Detached, so that Ctrl-C does not reach the server.
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
  return failure === undefined ? undefined : `${failure}: ${await lastError(home.log, logStart)}`;
}

/** PostgreSQL trusts a lock file if its PID is in use, in containers often by another program. */
async function removeStaleLock(cluster: string): Promise<void> {
  if ((await runningServer(cluster)) === undefined)
    await rm(join(cluster, 'postmaster.pid'), { force: true });
}

async function openLog(log: string): Promise<number> {
  return withPathErrors(log, async () => {
    const size = await stat(log).then(
      ({ size: bytes }) => bytes,
      () => 0,
    );
    if (size <= MAX_LOG_BYTES) return size;
    await truncate(log);
    return 0;
  });
}

async function lastError(log: string, from: number): Promise<string> {
  const text = (await readFile(log)).subarray(from).toString('utf8');
  const reasons = text.split('\n').filter((line) => /FATAL|PANIC|error while loading/.test(line));
  return reasons.at(-1)?.replace(/^.*?(?:FATAL|PANIC):\s*/, '') ?? 'it gave no reason';
}

/** Whether another process is starting or stopping the server, or processes of a killed server still run. */
function isTransient(failure: string): boolean {
  return /lock file .* (?:already exists|is empty)|pre-existing shared memory|still in use|another (?:server|postmaster)/i.test(
    failure,
  );
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has already exited.
  }
}
