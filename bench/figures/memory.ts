import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { BenchContext } from '../bench-context.js';
import { communityDatabase } from '../community/community-database.js';
import { stop, waitForOutput } from '../programs/children.js';
import { memoryOf, processes, type ProcessInfo } from '../programs/process-table.js';
import { atMost, type Measurement } from '../report.js';

const START = join(import.meta.dirname, '../../scripts/start.mjs');
const MEGABYTE = 2 ** 20;
/** Idle: all processes together use less than this share of a core for `IDLE_MS`. */
const IDLE_SHARE = 0.05;
const IDLE_MS = 15_000;
const IDLE_TIMEOUT_MS = 180_000;
/** Baseline of commit 907403f (23 November 2026), by number of questions; the goal is two thirds of it. */
const BASELINE_MB: Readonly<Record<number, number>> = { 2_000: 707 };

interface ProcessMemory {
  readonly name: string;
  /** Bytes. `pss` divides shared memory among its users, so that sums count it once. */
  readonly rss: number;
  readonly pss: number;
}

/** Memory of launcher, API, worker and PostgreSQL when idle, with a freshly started PostgreSQL. */
export async function measureMemory(context: BenchContext): Promise<readonly Measurement[]> {
  if (process.platform !== 'linux') {
    context.note('Memory is only measured on Linux (from /proc).');
    return [];
  }
  const database = await communityDatabase(context);
  await context.server.restart();
  const url = context.server.url(database);
  const postmaster = await postmasterOf(url);
  await waitUntilIdle(() => processTree(postmaster));
  const alone = sumMemory('PostgreSQL', processTree(postmaster));
  context.log('memory at rest');
  const environment = { ...process.env, ...context.server.environment(database) };
  const child = spawn(process.execPath, [START], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await waitForOutput(child, /^Nimo is ready at (\S+)/m);
    const product = (): ProcessInfo[] => processTree(child.pid ?? 0);
    await waitUntilIdle(() => [...product(), ...processTree(postmaster)]);
    const program = (name: string, file: string): ProcessMemory =>
      sumMemory(
        name,
        product().filter(({ command }) => command.includes(file)),
      );
    return measurements(context, alone, [
      program('launcher', 'start.mjs'),
      program('api', 'main.js'),
      program('worker', 'worker.js'),
      sumMemory('PostgreSQL', processTree(postmaster)),
    ]);
  } finally {
    await stop(child);
  }
}

function measurements(
  { questions }: BenchContext,
  alone: ProcessMemory,
  parts: readonly ProcessMemory[],
): readonly Measurement[] {
  const together = parts.reduce((sum, { pss }) => sum + pss, 0) / MEGABYTE;
  const baseline = BASELINE_MB[questions];
  const what = `${questions.toLocaleString('en')} questions`;
  return [
    {
      figure: 'memory at rest, all processes',
      what,
      value: together,
      unit: 'MB',
      limit: { what: 'PostgreSQL alone', value: alone.pss / MEGABYTE },
      ...(baseline !== undefined && { goal: atMost(together, (baseline * 2) / 3, 'MB') }),
    },
    ...parts.map(({ name, rss, pss }) => ({
      figure: `memory at rest, ${name}`,
      what: `${what}; ${Math.round(rss / MEGABYTE)} MB resident`,
      value: pss / MEGABYTE,
      unit: 'MB',
    })),
  ];
}

function sumMemory(name: string, running: readonly ProcessInfo[]): ProcessMemory {
  const held = running.map(({ pid }) => memoryOf(pid));
  return {
    name,
    rss: held.reduce((sum, { rss }) => sum + rss, 0),
    pss: held.reduce((sum, { pss }) => sum + pss, 0),
  };
}

/** A process and its descendants. */
function processTree(pid: number): ProcessInfo[] {
  const all = processes();
  const tree = all.filter((each) => each.pid === pid);
  for (const member of tree) tree.push(...all.filter(({ parent }) => parent === member.pid));
  return tree;
}

async function postmasterOf(url: string): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const own = processes().find(({ pid }) => pid === rows[0]?.pid);
    if (!own) throw new Error('the server runs on another machine');
    return own.parent;
  } finally {
    await client.end();
  }
}

/** Waits for startup work: loading the search index, catching up, garbage collection. */
async function waitUntilIdle(running: () => readonly ProcessInfo[]): Promise<void> {
  const spent = (): number => running().reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  for (const end = performance.now() + IDLE_TIMEOUT_MS; performance.now() < end;) {
    const before = spent();
    await delay(IDLE_MS);
    if (spent() - before < IDLE_MS * IDLE_SHARE) return;
  }
  throw new Error('the processes did not become idle');
}
