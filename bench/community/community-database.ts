import { createLogger } from '../../apps/api/src/platform/logging/logger.js';
import {
  closeRuntime,
  openRuntime,
  type Runtime,
  startRuntime,
} from '../../apps/api/src/platform/runtime/runtime.js';
import { type Projection, projections } from '@nimo/projections';
import { ProjectionWorker } from '@nimo/projection-engine';
import type { Append } from '@nimo/event-store';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchContext } from '../bench-context.js';
import { Community } from './community.js';

/** Increase when the community's history or its tables change, to discard the cached database. */
const DATASET_VERSION = 4;
const APPENDS_PER_BATCH = 2000;
const CONCURRENT_APPENDERS = 8;

/** A database with the community: events appended through the store and processed by the real projections. Cached for later runs. */
export async function communityDatabase(context: BenchContext): Promise<string> {
  const { questions, log } = context;
  return cachedDatabase(context, {
    name: `bench_community_${questions}_v${DATASET_VERSION}`,
    history: () => {
      log(`creating a community of ${questions} questions, cached for later runs`);
      return new Community(questions).history();
    },
    projections,
  });
}

export interface CachedDatabase {
  readonly name: string;
  readonly history: () => Generator<readonly Append[]>;
  readonly projections: readonly Projection[];
}

/** Returns the database of that name, created from a history on first use. */
export async function cachedDatabase(context: BenchContext, definition: CachedDatabase): Promise<string> {
  const { server } = context;
  const { name } = definition;
  if (await server.hasDatabase(name)) return name;
  const unfinished = `${name}_unfinished`;
  await server.createMigrated(unfinished);
  await fill(context, unfinished, definition);
  await server.rename(unfinished, name);
  return name;
}

async function fill(
  context: BenchContext,
  database: string,
  { history, projections: folded }: CachedDatabase,
): Promise<void> {
  const runtime = await openBenchRuntime(context, database);
  try {
    const start = performance.now();
    const appended = await appendAll(runtime, history());
    context.log(`${appended} events appended in ${Math.round((performance.now() - start) / 1000)} s`);
    await project(runtime, folded);
    await runtime.pool.query('vacuum analyze');
  } finally {
    await closeRuntime(runtime);
  }
}

/** Opens the product's connections, store and waiter on a benchmark database. */
export async function openBenchRuntime({ server }: BenchContext, database: string): Promise<Runtime> {
  const settings = server.settings(database);
  const logger = createLogger({ name: 'bench', level: 'warn', dataDir: settings.dataDir });
  const runtime = await openRuntime({ settings, logger, name: 'bench' });
  await startRuntime(runtime);
  return runtime;
}

async function appendAll({ store }: Runtime, history: Generator<readonly Append[]>): Promise<number> {
  let events = 0;
  const take = (): Append[] => {
    const appends: Append[] = [];
    while (appends.length < APPENDS_PER_BATCH) {
      const next = history.next();
      if (next.done) break;
      appends.push(...next.value);
    }
    for (const append of appends) events += append.events.length;
    return appends;
  };
  await Promise.all(Array.from({ length: CONCURRENT_APPENDERS }, () => appendBatches(store, take)));
  return events;
}

async function appendBatches(store: Runtime['store'], take: () => Append[]): Promise<void> {
  for (let appends = take(); appends.length > 0; appends = take()) await store.append(appends);
}

/** Processes the whole log, as a worker does at its first start. */
export async function project({ pool, store }: Runtime, folded = projections): Promise<void> {
  const failures: unknown[] = [];
  const onError = (error: unknown): void => void failures.push(error);
  const worker = new ProjectionWorker({ pool, store, projections: folded, onError });
  await worker.start();
  try {
    const head = await store.head();
    const names = folded.map(({ name }) => name);
    while (!(await haveReached(pool, names, head))) {
      if (failures.length > 0) throw failures[0];
      await delay(50);
    }
  } finally {
    await worker.stop();
  }
}

async function haveReached(
  pool: Runtime['pool'],
  names: readonly string[],
  head: string | undefined,
): Promise<boolean> {
  const { rows } = await pool.query<{ done: boolean }>(
    `select bool_and(position >= $1 and indexed) as done from read.projection_generations
     where status = 'live' and name = any($2::text[])`,
    [head, names],
  );
  return rows[0]?.done ?? false;
}
