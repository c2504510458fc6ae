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

/** Raised when the community's history or its tables change: the one kept from before is then not used. */
const EDITION = 4;
const APPENDS_AT_ONCE = 2000;
const CONCURRENT_APPENDERS = 8;

/** A database with the community, its events appended through the store and folded by the real projections. Kept for later runs. */
export async function communityDatabase(context: BenchContext): Promise<string> {
  const { questions, log } = context;
  return keptDatabase(context, {
    name: `bench_community_${questions}_v${EDITION}`,
    history: () => {
      log(`making a community of ${questions} questions; it is kept for later runs`);
      return new Community(questions).history();
    },
    projections,
  });
}

export interface KeptDatabase {
  readonly name: string;
  readonly history: () => Generator<readonly Append[]>;
  readonly projections: readonly Projection[];
}

/** The database of that name, made of a history when it is not there yet. */
export async function keptDatabase(context: BenchContext, wanted: KeptDatabase): Promise<string> {
  const { server } = context;
  const { name } = wanted;
  if (await server.hasDatabase(name)) return name;
  const unfinished = `${name}_unfinished`;
  await server.createMigrated(unfinished);
  await fill(context, unfinished, wanted);
  await server.rename(unfinished, name);
  return name;
}

async function fill(
  context: BenchContext,
  database: string,
  { history, projections: folded }: KeptDatabase,
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

/** The product's own connections, store and waiter on a database of the bench. */
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
    while (appends.length < APPENDS_AT_ONCE) {
      const next = history.next();
      if (next.done) break;
      appends.push(...next.value);
    }
    for (const append of appends) events += append.events.length;
    return appends;
  };
  await Promise.all(Array.from({ length: CONCURRENT_APPENDERS }, () => appendUntilDry(store, take)));
  return events;
}

async function appendUntilDry(store: Runtime['store'], take: () => Append[]): Promise<void> {
  for (let appends = take(); appends.length > 0; appends = take()) await store.append(appends);
}

/** Folds all there is, as a worker does at its first start. */
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
