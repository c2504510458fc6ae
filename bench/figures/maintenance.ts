import { projections } from '@nimo/projections';
import { ProjectionMaintenance } from '@nimo/projection-engine';
import type { Runtime } from '../../apps/api/src/platform/runtime/runtime.js';
import type { BenchContext } from '../bench-context.js';
import { distribute, load } from '../load.js';
import { type RunningProduct, withProduct } from '../product.js';
import type { LoadResult } from '../programs/load.js';
import { atMost, type Measurement } from '../report.js';
import { dashboard } from './pages.js';
import { votes } from './votes.js';

/** Load of a busy space, below the capacity of two cores; otherwise only the growing queue would be measured. */
const READS_PER_SECOND = 60;
const VOTES_PER_SECOND = 10;
const CONNECTIONS = 4;
const SECONDS = { full: 30, quick: 10 };
const MAX_RATIO = 2;
const SWITCHES = { full: 50, quick: 10 };
const GOAL_BLOCKED_MS = 50;
/** The largest and most used read model. */
const SWITCHED = 'questions';

/** Effect on students while a maintainer rebuilds everything, and while generations are switched. */
export async function measureMaintenance(context: BenchContext): Promise<readonly Measurement[]> {
  return withProduct(context, async (product) => {
    const maintenance = new ProjectionMaintenance({ ...product.runtime, projections });
    return [
      ...(await duringRebuilds(context, product, maintenance)),
      ...(await switches(context, product, maintenance)),
    ];
  });
}

interface Experience {
  readonly reads: LoadResult;
  readonly writes: LoadResult;
}

async function measureExperience({ isQuick }: BenchContext, product: RunningProduct): Promise<Experience> {
  const plan = { url: product.url, seconds: SECONDS[isQuick ? 'quick' : 'full'] };
  const [reads, writes] = await Promise.all([
    load({
      ...plan,
      rate: READS_PER_SECOND,
      connections: distribute(dashboard(product).pages.flat(), CONNECTIONS),
    }),
    load({ ...plan, rate: VOTES_PER_SECOND, connections: distribute(votes(product), CONNECTIONS) }),
  ]);
  return { reads, writes };
}

async function duringRebuilds(
  context: BenchContext,
  product: RunningProduct,
  maintenance: ProjectionMaintenance,
): Promise<readonly Measurement[]> {
  context.log('reads and votes without rebuilds');
  const alone = await measureExperience(context, product);
  context.log('reads and votes during rebuilds of all projections');
  const stopping = new AbortController();
  const rebuilds = rebuildUntil(stopping.signal, maintenance);
  const during = await measureExperience(context, product);
  stopping.abort();
  context.note(`${await rebuilds} rebuilds finished meanwhile.`);
  return [
    compared('page during rebuilds', `${READS_PER_SECOND} per second`, during.reads, alone.reads),
    compared('vote during rebuilds', `${VOTES_PER_SECOND} per second`, during.writes, alone.writes),
  ].flat();
}

/** Rebuilds one projection at a time, over and over. */
async function rebuildUntil(signal: AbortSignal, maintenance: ProjectionMaintenance): Promise<number> {
  let count = 0;
  while (!signal.aborted) {
    const next = projections[count % projections.length];
    if (next) await maintenance.rebuild(next.name);
    count += 1;
  }
  return count;
}

function compared(figure: string, what: string, during: LoadResult, alone: LoadResult): Measurement[] {
  const of = (percentile: 'p50' | 'p99'): Measurement => ({
    figure,
    what: `${what}, ${percentile}`,
    value: during[percentile],
    unit: 'ms',
    limit: { what: 'without a rebuild', value: alone[percentile] },
  });
  const ratio = during.p99 / alone.p99;
  return [
    of('p50'),
    { ...of('p99'), goal: { text: `at most ${MAX_RATIO} times`, isMet: ratio <= MAX_RATIO } },
  ];
}

/** Switches back and forth between two generations while a reader reads continuously. */
async function switches(
  { isQuick, log }: BenchContext,
  { runtime }: RunningProduct,
  maintenance: ProjectionMaintenance,
): Promise<readonly Measurement[]> {
  log(`switching ${SWITCHED} back and forth`);
  await maintenance.rebuild(SWITCHED);
  const count = SWITCHES[isQuick ? 'quick' : 'full'];
  const switched = await longestRead(runtime, async () => {
    for (let round = 0; round < count; round += 1) await switchOnce(maintenance);
  });
  const undisturbed = await longestRead(runtime, () => reads(runtime, switched.reads));
  return [
    {
      figure: 'longest read across switches',
      what: `${count} switches of ${SWITCHED}, ${switched.reads.toLocaleString('en')} reads`,
      value: switched.longestMs,
      unit: 'ms',
      limit: { what: 'as many reads without switches', value: undisturbed.longestMs },
      goal: atMost(switched.longestMs, GOAL_BLOCKED_MS, 'ms'),
    },
  ];
}

async function switchOnce(maintenance: ProjectionMaintenance): Promise<void> {
  const { live, generations } = await maintenance.status(SWITCHED);
  const previous = generations.find(({ status }) => status === 'former');
  if (!live || !previous) throw new Error(`${SWITCHED} has nothing to switch to`);
  const data = { projection: SWITCHED, generation: previous.generation, fromGeneration: live.generation };
  await maintenance.request({ type: 'ProjectionSwitched', data });
  const outcome = await maintenance.watchRebuild(SWITCHED);
  const now = (await maintenance.status(SWITCHED)).live?.generation;
  if (outcome !== 'switched' || now !== previous.generation)
    throw new Error(`${SWITCHED} is still at generation ${now}: ${outcome}`);
}

const READ = 'select question_id, title from read.questions order by created_at desc limit 1';

async function longestRead(
  { pool }: Runtime,
  meanwhile: () => Promise<void>,
): Promise<{ readonly longestMs: number; readonly reads: number }> {
  const reading = { isOn: true, longestMs: 0, reads: 0 };
  const reader = (async () => {
    while (reading.isOn) {
      const start = performance.now();
      await pool.query(READ);
      reading.longestMs = Math.max(reading.longestMs, performance.now() - start);
      reading.reads += 1;
    }
  })();
  try {
    await meanwhile();
  } finally {
    reading.isOn = false;
    await reader;
  }
  return reading;
}

async function reads({ pool }: Runtime, count: number): Promise<void> {
  for (let round = 0; round < count; round += 1) await pool.query(READ);
}
