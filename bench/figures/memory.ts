import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { BenchContext } from '../bench-context.js';
import { communityDatabase } from '../community/community-database.js';
import { printed, stop } from '../programs/children.js';
import { memoryOf, processes, type Running } from '../programs/process-table.js';
import { atMost, type Measurement } from '../report.js';

const START = join(import.meta.dirname, '../../scripts/start.mjs');
const MEGABYTE = 2 ** 20;
/** At rest: all processes together need less than this of a processor for so long. */
const QUIET_SHARE = 0.05;
const QUIET_MS = 15_000;
const PATIENCE_MS = 180_000;
/** What it was on commit 907403f, 23 November 2026, by number of questions; the goal is two thirds of it. */
const BEFORE_MB: Readonly<Record<number, number>> = { 2_000: 707 };

interface Weighed {
  readonly name: string;
  /** Bytes; `pss` has a share of what several processes hold together, so that sums count it once. */
  readonly rss: number;
  readonly pss: number;
}

/** What launcher, api, worker and PostgreSQL hold when nobody asks for anything, PostgreSQL having been started for it. */
export async function measureMemory(context: BenchContext): Promise<readonly Measurement[]> {
  if (process.platform !== 'linux') {
    context.note('Memory is read from /proc, which only Linux has.');
    return [];
  }
  const database = await communityDatabase(context);
  await context.server.restart();
  const url = context.server.url(database);
  const postmaster = await postmasterOf(url);
  await untilAtRest(() => familyOf(postmaster));
  const alone = weigh('PostgreSQL', familyOf(postmaster));
  context.log('memory at rest');
  const environment = { ...process.env, ...context.server.environment(database) };
  const child = spawn(process.execPath, [START], { env: environment, stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    await printed(child, /^Nimo is ready at (\S+)/m);
    const own = (): Running[] => familyOf(child.pid ?? 0);
    await untilAtRest(() => [...own(), ...familyOf(postmaster)]);
    const program = (name: string, file: string): Weighed =>
      weigh(
        name,
        own().filter(({ command }) => command.includes(file)),
      );
    return measurements(context, alone, [
      program('launcher', 'start.mjs'),
      program('api', 'main.js'),
      program('worker', 'worker.js'),
      weigh('PostgreSQL', familyOf(postmaster)),
    ]);
  } finally {
    await stop(child);
  }
}

function measurements(
  { questions }: BenchContext,
  alone: Weighed,
  parts: readonly Weighed[],
): readonly Measurement[] {
  const together = parts.reduce((sum, { pss }) => sum + pss, 0) / MEGABYTE;
  const before = BEFORE_MB[questions];
  const what = `${questions.toLocaleString('en')} questions`;
  return [
    {
      figure: 'memory at rest, all processes',
      what,
      value: together,
      unit: 'MB',
      limit: { what: 'PostgreSQL alone', value: alone.pss / MEGABYTE },
      ...(before !== undefined && { goal: atMost(together, (before * 2) / 3, 'MB') }),
    },
    ...parts.map(({ name, rss, pss }) => ({
      figure: `memory at rest, ${name}`,
      what: `${what}; ${Math.round(rss / MEGABYTE)} MB resident`,
      value: pss / MEGABYTE,
      unit: 'MB',
    })),
  ];
}

function weigh(name: string, running: readonly Running[]): Weighed {
  const held = running.map(({ pid }) => memoryOf(pid));
  return {
    name,
    rss: held.reduce((sum, { rss }) => sum + rss, 0),
    pss: held.reduce((sum, { pss }) => sum + pss, 0),
  };
}

/** A process and all that it has started. */
function familyOf(pid: number): Running[] {
  const all = processes();
  const family = all.filter((each) => each.pid === pid);
  for (const member of family) family.push(...all.filter(({ parent }) => parent === member.pid));
  return family;
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

/** Words read into memory, generations caught up with, garbage looked for: until then it is no rest. */
async function untilAtRest(running: () => readonly Running[]): Promise<void> {
  const spent = (): number => running().reduce((sum, { cpuMs }) => sum + cpuMs, 0);
  for (const end = performance.now() + PATIENCE_MS; performance.now() < end;) {
    const before = spent();
    await delay(QUIET_MS);
    if (spent() - before < QUIET_MS * QUIET_SHARE) return;
  }
  throw new Error('the processes do not come to rest');
}
