// Cleans up after a killed test process, detected by the end of standard input. See guardian.ts.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const EXIT_TIMEOUT_MS = 10_000;
const POLL_MS = 20;
const wards = new Map();

for await (const line of createInterface({ input: process.stdin })) {
  const { guard, release } = JSON.parse(line);
  if (guard) wards.set(JSON.stringify(guard), { ...guard, since: guard.pid && startTimeOf(guard.pid) });
  else wards.delete(JSON.stringify(release));
}
// Processes first, because they use the servers and folders.
const remaining = [...wards.values()];
for (const { pid, since } of remaining) if (pid !== undefined) await end(pid, since, ['SIGCONT', 'SIGKILL']);
for (const { postgresIn } of remaining) if (postgresIn !== undefined) await endPostgres(postgresIn);
for (const { postgresIn, folder = postgresIn } of remaining)
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

async function endPostgres(dataFolder) {
  const cluster = join(dataFolder, 'postgres/server/cluster');
  const lock = read(join(cluster, 'postmaster.pid'))
    ?.split('\n')
    .map((text) => text.trim());
  const pid = Number(lock?.[0]);
  if (!(pid > 1) || read(`/proc/${pid}/cmdline`)?.includes(cluster) !== true) return;
  // Immediate shutdown, as the data is removed too.
  await end(pid, startTimeOf(pid), ['SIGQUIT']);
  const sockets = lock?.[4];
  if (sockets?.includes('nimo-postgres-')) rmSync(sockets, { recursive: true, force: true });
}

async function end(pid, since, signals) {
  const isRunning = () => since !== undefined && startTimeOf(pid) === since;
  const deadline = performance.now() + EXIT_TIMEOUT_MS;
  for (const signal of signals) if (isRunning()) send(pid, signal);
  while (isRunning() && performance.now() < deadline) await delay(POLL_MS);
  if (isRunning()) send(pid, 'SIGKILL');
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // Already gone.
  }
}

/** Start time, as the pid may have been reused. */
function startTimeOf(pid) {
  const fields = read(`/proc/${pid}/stat`)
    ?.replace(/^.*\) /s, '')
    .split(' ');
  // A zombie has ended.
  return fields === undefined || fields[0] === 'Z' ? undefined : fields[19];
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
