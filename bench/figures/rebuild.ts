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
/** All of them together, in times of one plain read. */
const GOAL_READS_OF_ALL = 12;
/** Beside those of the slowest the table shows what no rebuild could be faster than. */
const WITH_FLOOR = ['questions', 'history', 'search', 'leaderboard', 'notifications', 'activities'];
const READ_PAGE = 4000;
const FOLLOWS_WITHIN_MS = 10_000;
const EMMETT_EVENTS = { full: 20_000, quick: 5_000 };
const EMMETT_DATABASE = 'bench_emmett';

/** Every projection from nothing, over a log that was written by concurrent appenders. */
export async function measureRebuild(context: BenchContext): Promise<readonly Measurement[]> {
  const runtime = await openBenchRuntime(context, await communityDatabase(context));
  try {
    const read = await readRate(runtime);
    const rates: Rate[] = [];
    for (const { name } of projections) {
      await context.server.settle();
      context.log(`rebuilding ${name}`);
      rates.push(await rebuilt(runtime, name));
    }
    const measurements = rates.flatMap((rate) => judged(rate, read));
    for (const name of WITH_FLOOR) measurements.push(...(await floorOf(context, runtime, rates, name)));
    await context.server.settle();
    context.log('rebuilding all of them in one pass');
    const all = await rebuiltTogether(runtime);
    const readAgain = await readRate(runtime);
    const allNames = projections.map(({ name }) => name);
    const bare = await bareRebuild(context, runtime, allNames, all.events);
    measurements.push(
      ofAll(all, readAgain),
      ofAll({ ...all, name: `${all.name}: floor`, perSecond: bare }, readAgain),
    );
    measurements.push(...(await besideEmmett(context, measurements)));
    return measurements;
  } finally {
    await closeRuntime(runtime);
  }
}

/** Reading and decoding, the same rows by COPY under their key, and their indexes, without any fold. */
async function floorOf(
  context: BenchContext,
  runtime: Runtime,
  rates: readonly Rate[],
  name: string,
): Promise<Measurement[]> {
  const own = rates.find((rate) => rate.name === name);
  if (!own) throw new Error(`there is no projection ${name}`);
  const limit = {
    what: 'read, decode, COPY, indexes',
    value: await bareRebuild(context, runtime, [name], own.events),
  };
  return [
    { figure: `rebuild of ${name}`, what: 'beside its floor', value: own.perSecond, unit: 'events/s', limit },
  ];
}

/** Events a second. */
async function bareRebuild(
  { server, log }: BenchContext,
  runtime: Runtime,
  names: readonly string[],
  events: number,
): Promise<number> {
  await server.settle();
  log(`the least that ${names.length === 1 ? names[0] : 'all of them'} could take`);
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

async function rebuilt(runtime: Runtime, name: string): Promise<Rate> {
  return whileWorking(runtime, async (maintenance) => {
    const start = performance.now();
    const outcome = await maintenance.rebuild(name);
    const seconds = (performance.now() - start) / 1000;
    if (outcome !== 'switched') throw new Error(`${name} was not rebuilt: ${outcome}`);
    const events = await loggedEvents(runtime.pool);
    const live = await follow(maintenance, name, events);
    return { name, events, perSecond: events / seconds, lost: Math.max(0, events - live) };
  });
}

/** As `nimo projections rebuild all` does it. */
async function rebuiltTogether(runtime: Runtime): Promise<Rate> {
  const names = projections.map(({ name }) => name);
  return whileWorking(runtime, async (maintenance) => {
    const start = performance.now();
    const ask = (projection: string) =>
      maintenance.request({ type: 'ProjectionRebuildStarted', data: { projection, hold: false } });
    await Promise.all(names.map(ask));
    const ends = await maintenance.watchRebuilds(names);
    const seconds = (performance.now() - start) / 1000;
    const failed = ends.filter(({ outcome }) => outcome !== 'switched');
    if (failed.length > 0) throw new Error(`not all were rebuilt: ${JSON.stringify(failed)}`);
    const events = await loggedEvents(runtime.pool);
    return { name: `all ${names.length}`, events, perSecond: events / seconds, lost: 0 };
  });
}

async function whileWorking<Result>(
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
    // oxlint-disable-next-line no-unsafe-finally -- what the worker met is the cause of what the rebuild met
    if (failures.length > 0) throw new Error('a rebuild failed', { cause: failures[0] });
  }
}

/** The last events are the rebuild's own, which a projection applies after it was switched over. @returns how many it applied in the end */
async function follow(maintenance: ProjectionMaintenance, name: string, events: number): Promise<number> {
  const deadline = performance.now() + FOLLOWS_WITHIN_MS;
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

/** A projection counts what it applied: its ordinal. */
function judged({ name, events, perSecond, lost }: Rate, read: Rate): Measurement[] {
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

/** How often the log could have been read in the time in which all were rebuilt. */
function ofAll({ name, events, perSecond }: Rate, read: Rate): Measurement {
  const reads = read.perSecond / perSecond;
  return {
    figure: `rebuild of ${name}, in one pass`,
    what: `${events.toLocaleString('en')} events, ${Math.round(events / perSecond)} s together, in reads of the log`,
    value: reads,
    unit: 'reads',
    limit: { what: 'one plain read of the log', value: 1 },
    goal: { text: `at most ${GOAL_READS_OF_ALL} reads`, isMet: reads <= GOAL_READS_OF_ALL },
  };
}

async function besideEmmett(context: BenchContext, own: readonly Measurement[]): Promise<Measurement[]> {
  if (!isEmmettInstalled(context)) return [];
  context.log('Emmett rebuilds one projection');
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
      what: 'beside Emmett',
      value: slowest,
      unit: 'events/s',
      limit,
      goal: atLeast(slowest, limit.value, 'events/s (Emmett)'),
    },
  ];
}
