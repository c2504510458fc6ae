import { spawn, type ChildProcess } from 'node:child_process';
import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BenchContext } from '../bench-context.js';
import { BENCH_FOLDER } from '../bench-server.js';
import { stop, waitForOutput } from '../programs/children.js';
import { atMost, type Measurement } from '../report.js';
import { median } from '../sampling.js';

const ROOT = join(import.meta.dirname, '../..');
const DATA = join(BENCH_FOLDER, 'installation');
const GOAL_SECONDS = 3;
const STARTS = { full: 5, quick: 2 };

/** `npm start` of an existing installation, from launch to the first page and the first query served. */
export async function measureColdStart(context: BenchContext): Promise<readonly Measurement[]> {
  await mkdir(DATA, { recursive: true });
  // As root, PostgreSQL runs as another user, who needs access.
  await chmod(DATA, 0o755);
  context.log('first start, which creates the installation');
  await secondsToServe();
  const bare: number[] = [];
  const own: number[] = [];
  for (let count = 0; count < STARTS[context.isQuick ? 'quick' : 'full']; count += 1) {
    context.log('start of the existing installation');
    own.push(await secondsToServe());
    bare.push(await secondsOfDatabaseAlone());
  }
  const value = median(own);
  return [
    {
      figure: 'cold start to the first page served',
      what: 'npm start, existing installation',
      value,
      unit: 's',
      limit: { what: 'PostgreSQL alone to its first response', value: median(bare) },
      goal: atMost(value, GOAL_SECONDS, 's'),
    },
  ];
}

async function secondsToServe(): Promise<number> {
  const start = performance.now();
  const child = run(['scripts/start.mjs']);
  try {
    const url = await waitForOutput(child, /^Nimo is ready at (\S+)/m);
    await requireOk(`${url}/`, { headers: { accept: 'text/html' } });
    await requireOk(`${url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: '{ __typename }' }),
    });
    return (performance.now() - start) / 1000;
  } finally {
    await stop(child);
  }
}

/** Minimum: a plain Node process starts the same server with the same data and sends one query. */
async function secondsOfDatabaseAlone(): Promise<number> {
  const start = performance.now();
  const child = run(['--import', './scripts/typescript.mjs', 'bench/programs/database-alone.ts', DATA]);
  try {
    await waitForOutput(child, /^(answered)/m);
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

async function requireOk(url: string, request: RequestInit): Promise<void> {
  const response = await fetch(url, request);
  if (!response.ok) throw new Error(`${url} responded with ${response.status}`);
  await response.text();
}
