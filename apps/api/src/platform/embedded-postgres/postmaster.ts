import { spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { readFile, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { EmbeddedPostgresError, onPath } from './embedded-postgres-error.js';
import type { NativeFiles } from './native-files.js';
import type { OperatingUser } from './operating-user.js';
import { processCommand, processIdentity } from './process-identity.js';
import { makeSocketFolder, type ServerHome } from './server-home.js';
import { serverSettings } from './server-settings.js';

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

export interface Start {
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
