import { LEADERBOARD_PAGE_SIZE } from '@nimo/domain';
import { findLeaderboardScore, pageOfLeaderboard, projections } from '@nimo/projections';
import { closeRuntime } from '../../apps/api/src/platform/runtime/runtime.js';
import type { BenchContext } from '../bench-context.js';
import { cachedDatabase, openBenchRuntime } from '../community/community-database.js';
import { Crowd } from '../community/crowd.js';
import { atMost, type Measurement } from '../report.js';
import { closedLoop, percentile } from '../sampling.js';

const DATASET_VERSION = 1;
const STUDENTS = 200_000;
const STUDENTS_QUICK = 5_000;
const GOAL_P99_MS = 10;
/** Projections that the queries read. */
const PROJECTIONS = ['students', 'spaces', 'leaderboard'];

type Pool = Awaited<ReturnType<typeof openBenchRuntime>>['pool'];

interface Board {
  readonly pool: Pool;
  readonly spaceId: string;
  readonly students: number;
  /** A sample of students from the whole board. */
  readonly sample: readonly string[];
}

interface Contestant {
  readonly figure: string;
  readonly own: (board: Board, round: number) => Promise<unknown>;
  readonly bare: (board: Board, round: number) => Promise<unknown>;
}

const at = <T>(items: readonly T[], round: number): T => {
  const item = items[round % items.length];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
};
/** Spread over the whole board in an order that defeats caches. */
const someRow = ({ students }: Board, round: number): number => (round * 7_919) % students;

const ROWS = `select l.student_id, l.score, s.user_name from (
    select student_id, score, last_ordinal from read.leaderboard where space_id = $1
    order by score desc, last_ordinal, student_id collate "C" limit ${LEADERBOARD_PAGE_SIZE} offset $2
  ) l left join read.students s using (student_id)`;
const COUNTED_RANK = `select 1 + count(*) as rank from read.leaderboard r join read.leaderboard t
  on t.space_id = r.space_id and (t.score > r.score or (t.score = r.score and (t.last_ordinal, t.student_id) < (r.last_ordinal, r.student_id)))
  where r.space_id = $1 and r.student_id = $2`;

const CONTESTANTS: readonly Contestant[] = [
  {
    figure: 'leaderboard, first page',
    own: ({ pool, spaceId, sample }, round) =>
      pageOfLeaderboard(pool, { spaceId, viewerId: at(sample, round) }),
    bare: ({ pool, spaceId }) => pool.query({ name: 'bare-page', text: ROWS, values: [spaceId, 0] }),
  },
  {
    figure: 'leaderboard, any page',
    own: (board, round) =>
      pageOfLeaderboard(board.pool, {
        spaceId: board.spaceId,
        viewerId: at(board.sample, round),
        page: 1 + Math.floor(someRow(board, round) / LEADERBOARD_PAGE_SIZE),
      }),
    bare: (board, round) =>
      board.pool.query({ name: 'bare-page', text: ROWS, values: [board.spaceId, someRow(board, round)] }),
  },
  {
    figure: 'own rank',
    own: ({ pool, spaceId, sample }, round) => {
      const studentId = at(sample, round);
      return findLeaderboardScore(pool, { spaceId, studentId, viewerId: studentId });
    },
    bare: ({ pool, spaceId, sample }, round) =>
      pool.query({ name: 'bare-rank', text: COUNTED_RANK, values: [spaceId, at(sample, round)] }),
  },
];

/** Leaderboard queries on a space of 200,000, one at a time, compared with plain SQL without buckets. */
export async function measureLeaderboard(context: BenchContext): Promise<readonly Measurement[]> {
  const students = context.isQuick ? STUDENTS_QUICK : STUDENTS;
  const database = await cachedDatabase(context, {
    name: `bench_leaderboard_${students}_v${DATASET_VERSION}`,
    history: () => {
      context.log(`creating a space of ${students} students, cached for later runs`);
      return new Crowd(students).history();
    },
    projections: projections.filter(({ name }) => PROJECTIONS.includes(name)),
  });
  const runtime = await openBenchRuntime(context, database);
  try {
    const board = await boardOf(runtime.pool);
    await assertPagesHoldRanks(board);
    const measurements: Measurement[] = [];
    for (const contestant of CONTESTANTS) measurements.push(...(await measure(context, board, contestant)));
    return measurements;
  } finally {
    await closeRuntime(runtime);
  }
}

async function boardOf(pool: Pool): Promise<Board> {
  const { rows } = await pool.query<{ space_id: string; students: number }>(
    'select space_id, count(*)::int as students from read.leaderboard group by space_id',
  );
  const [space] = rows;
  if (!space) throw new Error('the leaderboard is empty');
  const sample = await pool.query<{ student_id: string }>(
    'select student_id from read.leaderboard order by student_id limit 1000',
  );
  return {
    pool,
    spaceId: space.space_id,
    students: space.students,
    sample: sample.rows.map((row) => row.student_id),
  };
}

/** A fast page with wrong rows would not be a result. */
async function assertPagesHoldRanks(board: Board): Promise<void> {
  const { pool, spaceId } = board;
  for (let round = 1; round <= 20; round += 1) {
    const page = 1 + Math.floor(someRow(board, round * 31) / LEADERBOARD_PAGE_SIZE);
    const { docs } = await pageOfLeaderboard(pool, { spaceId, viewerId: null, page });
    for (const { student, rank } of docs) {
      const own = await findLeaderboardScore(pool, { spaceId, studentId: student._id, viewerId: null });
      if (own?.rank !== rank) throw new Error(`page ${page} shows rank ${rank} instead of ${own?.rank}`);
    }
  }
}

async function measure(
  { seconds }: BenchContext,
  board: Board,
  { figure, own, bare }: Contestant,
): Promise<Measurement[]> {
  const timesOf = async (work: Contestant['own']): Promise<readonly number[]> => {
    let round = 0;
    const paced = await closedLoop({
      clients: 1,
      seconds,
      work: async () => {
        await work(board, (round += 1));
      },
    });
    return paced.latencies;
  };
  const [ours, plain] = [await timesOf(own), await timesOf(bare)];
  const what = `${board.students} students`;
  return ([50, 99] as const).map((percent) => {
    const value = percentile(ours, percent);
    return {
      figure,
      what: `${what}, p${percent}`,
      value,
      unit: 'ms',
      limit: { what: 'bare SQL', value: percentile(plain, percent) },
      ...(percent === 99 && { goal: atMost(value, GOAL_P99_MS, 'ms') }),
    };
  });
}
