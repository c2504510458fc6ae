import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchContext } from '../bench-context.js';
import { BENCH_FOLDER } from '../bench-server.js';
import { printed, stop } from '../programs/children.js';
import { atMost, type Measurement } from '../report.js';
import { median } from '../sampling.js';

const ROOT = join(import.meta.dirname, '../..');
const DATA = join(BENCH_FOLDER, 'installation');
const GOAL_SECONDS = 3;
const STARTS = { full: 5, quick: 2 };

/** `npm start` of an existing installation, from the key press to the first answered page and the first answered query. */
export async function measureColdStart(context: BenchContext): Promise<readonly Measurement[]> {
  await mkdir(DATA, { recursive: true });
  // As root, PostgreSQL runs as another user, who has to get there.
  await chmod(DATA, 0o755);
  context.log('the first start, which makes the installation');
  await secondsToServe();
  const bare: number[] = [];
  const own: number[] = [];
  for (let count = 0; count < STARTS[context.isQuick ? 'quick' : 'full']; count += 1) {
    context.log('a start of the existing installation');
    own.push(await secondsToServe());
    bare.push(await secondsOfDatabaseAlone());
  }
  const value = median(own);
  return [
    {
      figure: 'cold start to the first answered page',
      what: 'npm start, existing installation',
      value,
      unit: 's',
      limit: { what: 'PostgreSQL alone to its first answer', value: median(bare) },
      goal: atMost(value, GOAL_SECONDS, 's'),
    },
  ];
}

async function secondsToServe(): Promise<number> {
  const start = performance.now();
  const child = run(['scripts/start.mjs']);
  try {
    const url = await printed(child, /^Nimo is ready at (\S+)/m);
    await answers(`${url}/`, { headers: { accept: 'text/html' } });
    await answers(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ __typename }' }),
    });
    return (performance.now() - start) / 1000;
  } finally {
    await stop(child);
  }
}

/** The least: the same server over the same data, started by a bare node process that asks it one question. */
async function secondsOfDatabaseAlone(): Promise<number> {
  const start = performance.now();
  const child = run(['--import', './scripts/typescript.mjs', 'bench/programs/database-alone.ts', DATA]);
  try {
    await printed(child, /^(answered)/m);
    return (performance.now() - start) / 1000;
  } finally {
    await stop(child);
  }
}

function run(parameters: readonly string[]): ChildProcess {
  return spawn(process.execPath, parameters, {
    cwd: ROOT,
    env: { ...process.env, NIMO_DATA_DIR: DATA, PORT: '0', LOG_LEVEL: 'error' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
}

async function answers(url: string, request: RequestInit): Promise<void> {
  const response = await fetch(url, request);
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  await response.text();
}
