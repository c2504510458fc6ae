import { projections } from '@nimo/projections';
import { ProjectionMaintenance } from '@nimo/projection-engine';
import type { Runtime } from '../../apps/api/src/platform/runtime/runtime.js';
import type { BenchContext } from '../bench-context.js';
import { dealt, load } from '../load.js';
import { type RunningProduct, withProduct } from '../product.js';
import type { LoadResult } from '../programs/load.js';
import { atMost, type Measurement } from '../report.js';
import { dashboard } from './pages.js';
import { votes } from './votes.js';

/** What a busy space asks for, and less than two cores can answer: a queue that grows anyway would measure nothing else. */
const READS_A_SECOND = 60;
const VOTES_A_SECOND = 10;
const CONNECTIONS = 4;
const SECONDS = { full: 30, quick: 10 };
const MAX_TIMES_ALONE = 2;
const SWITCHES = { full: 50, quick: 10 };
const GOAL_BLOCKED_MS = 50;
/** The largest read model, whose views most of the product reads. */
const SWITCHED = 'questions';

/** What students notice while a maintainer rebuilds everything, and while a generation takes over. */
export async function measureMaintenance(context: BenchContext): Promise<readonly Measurement[]> {
  return withProduct(context, async (product) => {
    const maintenance = new ProjectionMaintenance({ ...product.runtime, projections });
    return [
      ...(await besideRebuilds(context, product, maintenance)),
      ...(await switches(context, product, maintenance)),
    ];
  });
}

interface Felt {
  readonly reads: LoadResult;
  readonly writes: LoadResult;
}

async function felt({ isQuick }: BenchContext, product: RunningProduct): Promise<Felt> {
  const plan = { url: product.url, seconds: SECONDS[isQuick ? 'quick' : 'full'] };
  const [reads, writes] = await Promise.all([
    load({ ...plan, rate: READS_A_SECOND, connections: dealt(dashboard(product).pages.flat(), CONNECTIONS) }),
    load({ ...plan, rate: VOTES_A_SECOND, connections: dealt(votes(product), CONNECTIONS) }),
  ]);
  return { reads, writes };
}

async function besideRebuilds(
  context: BenchContext,
  product: RunningProduct,
  maintenance: ProjectionMaintenance,
): Promise<readonly Measurement[]> {
  context.log('reads and votes alone');
  const alone = await felt(context, product);
  context.log('reads and votes beside rebuilds of all projections');
  const stopping = new AbortController();
  const rebuilds = rebuildUntil(stopping.signal, maintenance);
  const beside = await felt(context, product);
  stopping.abort();
  context.note(`${await rebuilds} rebuilds were finished meanwhile.`);
  return [
    compared('a page beside rebuilds', `${READS_A_SECOND} a second`, beside.reads, alone.reads),
    compared('a vote beside rebuilds', `${VOTES_A_SECOND} a second`, beside.writes, alone.writes),
  ].flat();
}

/** One projection after the other, and all over again. */
async function rebuildUntil(signal: AbortSignal, maintenance: ProjectionMaintenance): Promise<number> {
  let count = 0;
  while (!signal.aborted) {
    const next = projections[count % projections.length];
    if (next) await maintenance.rebuild(next.name);
    count += 1;
  }
  return count;
}

function compared(figure: string, what: string, beside: LoadResult, alone: LoadResult): Measurement[] {
  const of = (percentile: 'p50' | 'p99'): Measurement => ({
    figure,
    what: `${what}, ${percentile}`,
    value: beside[percentile],
    unit: 'ms',
    limit: { what: 'without a rebuild', value: alone[percentile] },
  });
  const times = beside.p99 / alone.p99;
  return [
    of('p50'),
    { ...of('p99'), goal: { text: `at most ${MAX_TIMES_ALONE} times`, isMet: times <= MAX_TIMES_ALONE } },
  ];
}

/** Back and forth between two generations, with a reader who never pauses. */
async function switches(
  { isQuick, log }: BenchContext,
  { runtime }: RunningProduct,
  maintenance: ProjectionMaintenance,
): Promise<readonly Measurement[]> {
  log(`switching ${SWITCHED} back and forth`);
  await maintenance.rebuild(SWITCHED);
  const count = SWITCHES[isQuick ? 'quick' : 'full'];
  const switched = await longestRead(runtime, async () => {
    for (let turn = 0; turn < count; turn += 1) await switchOnce(maintenance);
  });
  const undisturbed = await longestRead(runtime, () => reads(runtime, switched.reads));
  return [
    {
      figure: 'longest read across switches',
      what: `${count} switches of ${SWITCHED}, ${switched.reads.toLocaleString('en')} reads`,
      value: switched.longestMs,
      unit: 'ms',
      limit: { what: 'as many reads without one', value: undisturbed.longestMs },
      goal: atMost(switched.longestMs, GOAL_BLOCKED_MS, 'ms'),
    },
  ];
}

async function switchOnce(maintenance: ProjectionMaintenance): Promise<void> {
  const { live, generations } = await maintenance.status(SWITCHED);
  const former = generations.find(({ status }) => status === 'former');
  if (!live || !former) throw new Error(`${SWITCHED} has nothing to switch to`);
  const data = { projection: SWITCHED, generation: former.generation, fromGeneration: live.generation };
  await maintenance.request({ type: 'ProjectionSwitched', data });
  const outcome = await maintenance.watchRebuild(SWITCHED);
  const now = (await maintenance.status(SWITCHED)).live?.generation;
  if (outcome !== 'switched' || now !== former.generation)
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
  for (let turn = 0; turn < count; turn += 1) await pool.query(READ);
}
