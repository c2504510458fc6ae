// Ends what a test process leaves behind when it is killed: see guardian.ts. Its standard input ends with that process.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

const ENDS_WITHIN_MS = 10_000;
const LOOK_MS = 20;
const wards = new Map();

for await (const line of createInterface({ input: process.stdin })) {
  const { guard, release } = JSON.parse(line);
  if (guard) wards.set(JSON.stringify(guard), { ...guard, since: guard.pid && beginningOf(guard.pid) });
  else wards.delete(JSON.stringify(release));
}
// Processes first: they use the servers and write into the folders.
const left = [...wards.values()];
for (const { pid, since } of left) if (pid !== undefined) await end(pid, since, ['SIGCONT', 'SIGKILL']);
for (const { postgresIn } of left) if (postgresIn !== undefined) await endPostgres(postgresIn);
for (const { postgresIn, folder = postgresIn } of left)
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });

async function endPostgres(dataFolder) {
  const cluster = join(dataFolder, 'postgres/server/cluster');
  const lock = read(join(cluster, 'postmaster.pid'))
    ?.split('\n')
    .map((text) => text.trim());
  const pid = Number(lock?.[0]);
  if (!(pid > 1) || read(`/proc/${pid}/cmdline`)?.includes(cluster) !== true) return;
  // At once: its data goes with it.
  await end(pid, beginningOf(pid), ['SIGQUIT']);
  const sockets = lock?.[4];
  if (sockets?.includes('nimo-postgres-')) rmSync(sockets, { recursive: true, force: true });
}

async function end(pid, since, signals) {
  const isThere = () => since !== undefined && beginningOf(pid) === since;
  const deadline = performance.now() + ENDS_WITHIN_MS;
  for (const signal of signals) if (isThere()) send(pid, signal);
  while (isThere() && performance.now() < deadline) await delay(LOOK_MS);
  if (isThere()) send(pid, 'SIGKILL');
}

function send(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch {
    // It ended in between, which is what was wanted.
  }
}

/** When it was started: a number may belong to another program by now. */
function beginningOf(pid) {
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
