import { setTimeout as delay } from 'node:timers/promises';
import { projections } from '@nimo/projections';
import { ProjectionMaintenance, ProjectionWorker } from '@nimo/projection-engine';
import type { Pool } from 'pg';
import type { BenchContext } from '../bench-context.js';
import { communityDatabase, openBenchRuntime } from '../community/community-database.js';
import { secondsOfBareRebuild } from '../floors/rebuild-floor.js';
import { emmettRebuild, isEmmettInstalled } from '../emmett.js';
import { atLeast, type Measurement } from '../report.js';
import { closeRuntime, type Runtime } from '../../apps/api/src/platform/runtime/runtime.js';

const GOAL_SHARE_OF_READING = 0.45;
/** Goal for all projections together, in multiples of one plain read. */
const GOAL_READS_OF_ALL = 12;
/** The slowest projections, for which the table shows the floor. */
const WITH_FLOOR = ['questions', 'history', 'search', 'leaderboard', 'notifications', 'activities'];
const READ_PAGE = 4000;
const CATCH_UP_TIMEOUT_MS = 10_000;
const EMMETT_EVENTS = { full: 20_000, quick: 5_000 };
const EMMETT_DATABASE = 'bench_emmett';

/** Rebuilds every projection over a log written by concurrent appenders. */
export async function measureRebuild(context: BenchContext): Promise<readonly Measurement[]> {
  const runtime = await openBenchRuntime(context, await communityDatabase(context));
  try {
    const read = await readRate(runtime);
    const rates: Rate[] = [];
    for (const { name } of projections) {
      await context.server.settle();
      context.log(`rebuilding ${name}`);
      rates.push(await rebuildOne(runtime, name));
    }
    const measurements = rates.flatMap((rate) => measurementsOf(rate, read));
    for (const name of WITH_FLOOR) measurements.push(...(await floorOf(context, runtime, rates, name)));
    await context.server.settle();
    context.log('rebuilding all projections in one pass');
    const all = await rebuildAll(runtime);
    const readAgain = await readRate(runtime);
    const allNames = projections.map(({ name }) => name);
    const bare = await bareRebuild(context, runtime, allNames, all.events);
    measurements.push(
      ofAll(all, readAgain),
      ofAll({ ...all, name: `${all.name}: floor`, perSecond: bare }, readAgain),
    );
    measurements.push(...(await compareWithEmmett(context, measurements)));
    return measurements;
  } finally {
    await closeRuntime(runtime);
  }
}

/** Reading and decoding the log, copying the same rows and creating the indexes, without folding. */
async function floorOf(
  context: BenchContext,
  runtime: Runtime,
  rates: readonly Rate[],
  name: string,
): Promise<Measurement[]> {
  const own = rates.find((rate) => rate.name === name);
  if (!own) throw new Error(`unknown projection ${name}`);
  const limit = {
    what: 'read, decode, COPY, indexes',
    value: await bareRebuild(context, runtime, [name], own.events),
  };
  return [
    {
      figure: `rebuild of ${name}`,
      what: 'compared with its floor',
      value: own.perSecond,
      unit: 'events/s',
      limit,
    },
  ];
}

/** Events per second. */
async function bareRebuild(
  { server, log }: BenchContext,
  runtime: Runtime,
  names: readonly string[],
  events: number,
): Promise<number> {
  await server.settle();
  log(`floor of ${names.length === 1 ? names[0] : 'all projections'}`);
  return events / (await secondsOfBareRebuild(runtime, names, () => readRate(runtime)));
}

interface Rate {
  readonly name: string;
  readonly events: number;
  readonly perSecond: number;
  readonly lost: number;
}

async function readRate({ store }: Runtime): Promise<Rate> {
  const start = performance.now();
  let events = 0;
  for (let after: string | undefined; ;) {
    const page = await store.readAll({ ...(after !== undefined && { after }), limit: READ_PAGE });
    events += page.length;
    after = page.at(-1)?.position;
    if (page.length < READ_PAGE) break;
  }
  return { name: 'read', events, perSecond: (events / (performance.now() - start)) * 1000, lost: 0 };
}

async function rebuildOne(runtime: Runtime, name: string): Promise<Rate> {
  return withWorker(runtime, async (maintenance) => {
    const start = performance.now();
    const outcome = await maintenance.rebuild(name);
    const seconds = (performance.now() - start) / 1000;
    if (outcome !== 'switched') throw new Error(`${name} was not rebuilt: ${outcome}`);
    const events = await loggedEvents(runtime.pool);
    const live = await waitForCatchUp(maintenance, name, events);
    return { name, events, perSecond: events / seconds, lost: Math.max(0, events - live) };
  });
}

/** Like `nimo projections rebuild all`. */
async function rebuildAll(runtime: Runtime): Promise<Rate> {
  const names = projections.map(({ name }) => name);
  return withWorker(runtime, async (maintenance) => {
    const start = performance.now();
    const request = (projection: string) =>
      maintenance.request({ type: 'ProjectionRebuildStarted', data: { projection, hold: false } });
    await Promise.all(names.map(request));
    const ends = await maintenance.watchRebuilds(names);
    const seconds = (performance.now() - start) / 1000;
    const failed = ends.filter(({ outcome }) => outcome !== 'switched');
    if (failed.length > 0) throw new Error(`not all were rebuilt: ${JSON.stringify(failed)}`);
    const events = await loggedEvents(runtime.pool);
    return { name: `all ${names.length}`, events, perSecond: events / seconds, lost: 0 };
  });
}

async function withWorker<Result>(
  { pool, store }: Runtime,
  work: (maintenance: ProjectionMaintenance) => Promise<Result>,
): Promise<Result> {
  const failures: unknown[] = [];
  const maintenance = new ProjectionMaintenance({ pool, store, projections });
  const worker = new ProjectionWorker({ pool, store, projections, onError: (error) => failures.push(error) });
  await worker.start();
  try {
    return await work(maintenance);
  } finally {
    await worker.stop();
    // oxlint-disable-next-line no-unsafe-finally -- the worker's failure caused that of the rebuild
    if (failures.length > 0) throw new Error('a rebuild failed', { cause: failures[0] });
  }
}

/** Waits for the rebuild's own events, which a projection applies after the switch. @returns the number of applied events */
async function waitForCatchUp(
  maintenance: ProjectionMaintenance,
  name: string,
  events: number,
): Promise<number> {
  const deadline = performance.now() + CATCH_UP_TIMEOUT_MS;
  for (;;) {
    const { live } = await maintenance.status(name);
    const applied = live?.ordinal ?? 0;
    if (applied >= events || performance.now() > deadline) return applied;
    await delay(10);
  }
}

async function loggedEvents(pool: Pool): Promise<number> {
  const { rows } = await pool.query<{ n: number }>('select count(*)::int as n from log.events');
  return rows[0]?.n ?? 0;
}

/** The ordinal of a projection is the number of events it applied. */
function measurementsOf({ name, events, perSecond, lost }: Rate, read: Rate): Measurement[] {
  const figure = `rebuild of ${name}`;
  const share = perSecond / read.perSecond;
  return [
    {
      figure,
      what: `${events.toLocaleString('en')} events, switched over with indexes`,
      value: perSecond,
      unit: 'events/s',
      limit: { what: 'plain read of the log', value: read.perSecond },
      goal: {
        text: `at least ${GOAL_SHARE_OF_READING} of reading`,
        isMet: share >= GOAL_SHARE_OF_READING,
      },
    },
    {
      figure,
      what: 'events lost',
      value: lost,
      unit: 'events',
      goal: { text: 'none', isMet: lost === 0 },
    },
  ];
}

/** Duration of rebuilding all, in multiples of reading the log. */
function ofAll({ name, events, perSecond }: Rate, read: Rate): Measurement {
  const reads = read.perSecond / perSecond;
  return {
    figure: `rebuild of ${name}, in one pass`,
    what: `${events.toLocaleString('en')} events, ${Math.round(events / perSecond)} s in total, in multiples of reading the log`,
    value: reads,
    unit: 'reads',
    limit: { what: 'one plain read of the log', value: 1 },
    goal: { text: `at most ${GOAL_READS_OF_ALL} reads`, isMet: reads <= GOAL_READS_OF_ALL },
  };
}

async function compareWithEmmett(context: BenchContext, own: readonly Measurement[]): Promise<Measurement[]> {
  if (!isEmmettInstalled(context)) return [];
  context.log('rebuilding one projection with Emmett');
  await context.server.recreate(EMMETT_DATABASE);
  const url = context.server.url(EMMETT_DATABASE);
  const emmett = await emmettRebuild(url, EMMETT_EVENTS[context.isQuick ? 'quick' : 'full']);
  await context.server.drop(EMMETT_DATABASE);
  const rates = own.filter(({ unit }) => unit === 'events/s').map(({ value }) => value);
  const slowest = Math.min(...rates);
  const lost = emmett.appended - emmett.applied;
  const limit = { what: 'Emmett, one projection', value: emmett.applied / emmett.seconds };
  context.note(
    `Emmett applied ${emmett.applied} of ${emmett.appended} events after concurrent appends (${lost} lost).`,
  );
  return [
    {
      figure: 'rebuild, slowest projection',
      what: 'compared with Emmett',
      value: slowest,
      unit: 'events/s',
      limit,
      goal: atLeast(slowest, limit.value, 'events/s (Emmett)'),
    },
  ];
}
