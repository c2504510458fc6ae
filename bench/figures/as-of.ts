import { LEADERBOARD_PAGE_SIZE } from '@nimo/domain';
import { type AsOf, pageOfLeaderboardAsOf, projections, ScoreSnapshots } from '@nimo/projections';
import type { Pool } from 'pg';
import { closeRuntime } from '../../apps/api/src/platform/runtime/runtime.js';
import type { BenchContext } from '../bench-context.js';
import { cachedDatabase, openBenchRuntime } from '../community/community-database.js';
import { LargeSpace } from '../community/large-space.js';
import { atMost, type Measurement } from '../report.js';
import { percentile } from '../sampling.js';

const DATASET_VERSION = 1;
const SIZES = {
  full: { students: 100_000, events: 1_000_000, samples: 40 },
  quick: { students: 5_000, events: 50_000, samples: 10 },
} as const;
const GOAL_MS = 1000;
/** Projections that the query reads. */
const PROJECTIONS = ['spaces', 'students', 'leaderboard', 'history'];

interface Space {
  readonly pool: Pool;
  readonly spaceId: string;
  readonly lastOrdinal: number;
  readonly firstMs: number;
  readonly lastMs: number;
}

/** Reads random pages of the leaderboard of one large space at random points of its history. */
export async function measureAsOf(context: BenchContext): Promise<readonly Measurement[]> {
  const { students, events, samples } = SIZES[context.isQuick ? 'quick' : 'full'];
  const database = await cachedDatabase(context, {
    name: `bench_as_of_${events}_v${DATASET_VERSION}`,
    history: () => {
      context.log(`creating a space of ${students} students and ${events} events, cached for later runs`);
      return new LargeSpace(students, events).history();
    },
    projections: projections.filter(({ name }) => PROJECTIONS.includes(name)),
  });
  const runtime = await openBenchRuntime(context, database);
  try {
    const { pool } = runtime;
    await takeSnapshots(context, pool);
    const space = await spaceOf(pool);
    const limit = { what: 'counting all facts', value: await fromAllFacts(context, pool) };
    const measurements: Measurement[] = [];
    for (const by of ['ordinal', 'moment'] as const) {
      const times = await timesOf(space, by, students, samples);
      for (const percent of [50, 100]) {
        const value = percentile(times, percent);
        measurements.push({
          figure: `leaderboard at an earlier time, by ${by === 'ordinal' ? 'event number' : 'timestamp'}`,
          what: `${space.lastOrdinal.toLocaleString('en')} events, ${percent === 100 ? 'slowest' : `p${percent}`}`,
          value,
          unit: 'ms',
          limit,
          goal: atMost(value, GOAL_MS, 'ms'),
        });
      }
    }
    return measurements;
  } finally {
    await closeRuntime(runtime);
  }
}

/** The worker does this in the background. */
async function takeSnapshots({ log }: BenchContext, pool: Pool): Promise<void> {
  const start = performance.now();
  const taken = await new ScoreSnapshots({ pool }).takeDue();
  if (taken === 0) return;
  log(`${taken} snapshots taken in ${Math.round((performance.now() - start) / 1000)} s`);
  await pool.query('vacuum analyze read.score_snapshots, read.score_snapshot_rows');
}

async function spaceOf(pool: Pool): Promise<Space> {
  const { rows } = await pool.query<{
    space_id: string;
    last_ordinal: string;
    first_ms: string;
    last_ms: string;
  }>(
    `select space_id, max(ordinal) as last_ordinal, extract(epoch from min(occurred_at)) * 1000 as first_ms,
       extract(epoch from max(occurred_at)) * 1000 as last_ms
     from read.fact_history group by space_id`,
  );
  const [row] = rows;
  if (!row) throw new Error('the history is empty');
  return {
    pool,
    spaceId: row.space_id,
    lastOrdinal: Number(row.last_ordinal),
    firstMs: Number(row.first_ms),
    lastMs: Number(row.last_ms),
  };
}

/** Points and pages are the same in each run, in an order that defeats caches. */
async function timesOf(
  { pool, spaceId, lastOrdinal, firstMs, lastMs }: Space,
  by: AsOf['by'],
  students: number,
  samples: number,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (let round = 1; round <= samples; round += 1) {
    const part = (round * 0.618_034) % 1;
    const asOf: AsOf =
      by === 'ordinal'
        ? { by, ordinal: Math.ceil(part * lastOrdinal) }
        : { by, at: new Date(firstMs + part * (lastMs - firstMs)).toISOString() };
    const page = 1 + Math.floor((((round * 7_919) % students) * part) / LEADERBOARD_PAGE_SIZE);
    const start = performance.now();
    const { docs } = await pageOfLeaderboardAsOf(pool, { spaceId, asOf, page });
    times.push(performance.now() - start);
    if (docs.some(({ rank }, index) => rank !== (page - 1) * LEADERBOARD_PAGE_SIZE + index + 1))
      throw new Error(`page ${page} at ${part} of the history has the wrong ranks`);
  }
  return times;
}

/** Lower bound without snapshots: reads each fact once. */
async function fromAllFacts({ repeats }: BenchContext, pool: Pool): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < repeats; round += 1) {
    const start = performance.now();
    await pool.query(
      `select student_id, count(*), max(ordinal) from read.fact_history group by student_id order by 2 desc limit 20`,
    );
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}
