import { ProjectionMaintenance, projections, ProjectionWorker } from '@nimo/projections';
import type { Pool } from 'pg';
import type { BenchContext } from '../bench-context.js';
import { communityDatabase, openBenchRuntime } from '../community/community-database.js';
import { emmettRebuild, isEmmettInstalled } from '../emmett.js';
import { atLeast, type Measurement } from '../report.js';
import { closeRuntime, type Runtime } from '../../apps/api/src/platform/runtime/runtime.js';

const GOAL_EVENTS_PER_SECOND = 50_000;
const GOAL_SHARE_OF_READING = 0.25;
const READ_PAGE = 4000;
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
    const measurements = [...rates.flatMap((rate) => judged(rate, read)), ofAll(rates, read)];
    measurements.push(...(await besideEmmett(context, measurements)));
    return measurements;
  } finally {
    await closeRuntime(runtime);
  }
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

async function rebuilt({ pool, store }: Runtime, name: string): Promise<Rate> {
  const failures: unknown[] = [];
  const maintenance = new ProjectionMaintenance({ pool, store, projections });
  const worker = new ProjectionWorker({ pool, store, projections, onError: (error) => failures.push(error) });
  await worker.start();
  const start = performance.now();
  const outcome = await maintenance.rebuild(name);
  const seconds = (performance.now() - start) / 1000;
  await worker.stop();
  if (outcome !== 'switched' || failures.length > 0)
    throw new Error(`${name} was not rebuilt: ${outcome}`, { cause: failures[0] });
  const events = await loggedEvents(pool);
  const { live } = await maintenance.status(name);
  return { name, events, perSecond: events / seconds, lost: events - (live?.ordinal ?? 0) };
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
        text: `at least ${GOAL_EVENTS_PER_SECOND.toLocaleString('en')} events/s and ${GOAL_SHARE_OF_READING} of reading`,
        isMet: perSecond >= GOAL_EVENTS_PER_SECOND && share >= GOAL_SHARE_OF_READING,
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

/** One after the other, as a maintainer does who rebuilds everything: what all of them applied in the time of all of them. */
function ofAll(rates: readonly Rate[], read: Rate): Measurement {
  const applied = rates.reduce((sum, { events }) => sum + events, 0);
  const seconds = rates.reduce((sum, { events, perSecond }) => sum + events / perSecond, 0);
  const value = applied / seconds;
  return {
    figure: `rebuild of all ${rates.length}`,
    what: `${read.events.toLocaleString('en')} events each, ${Math.round(seconds)} s together`,
    value,
    unit: 'events/s',
    limit: { what: 'plain read of the log', value: read.perSecond },
    goal: atLeast(value, GOAL_EVENTS_PER_SECOND, 'events/s'),
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
