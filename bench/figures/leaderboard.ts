import { LEADERBOARD_PAGE_SIZE } from '@nimo/domain';
import { findLeaderboardScore, pageOfLeaderboard, projections } from '@nimo/projections';
import { closeRuntime } from '../../apps/api/src/platform/runtime/runtime.js';
import type { BenchContext } from '../bench-context.js';
import { keptDatabase, openBenchRuntime } from '../community/community-database.js';
import { Crowd } from '../community/crowd.js';
import { atMost, type Measurement } from '../report.js';
import { closedLoop, percentile } from '../sampling.js';

const EDITION = 1;
const STUDENTS = 200_000;
const STUDENTS_QUICK = 5_000;
const GOAL_P99_MS = 10;
/** What the queries read. */
const FOLDED = ['students', 'spaces', 'leaderboard'];

type Pool = Awaited<ReturnType<typeof openBenchRuntime>>['pool'];

interface Board {
  readonly pool: Pool;
  readonly spaceId: string;
  readonly students: number;
  /** Some of them, from all over the board. */
  readonly sample: readonly string[];
}

interface Contestant {
  readonly figure: string;
  readonly own: (board: Board, turn: number) => Promise<unknown>;
  readonly bare: (board: Board, turn: number) => Promise<unknown>;
}

const at = <T>(items: readonly T[], turn: number): T => {
  const item = items[turn % items.length];
  if (item === undefined) throw new Error('nothing to choose from');
  return item;
};
/** Spread over the whole board without a pattern that a cache could follow. */
const someRow = ({ students }: Board, turn: number): number => (turn * 7_919) % students;

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
    own: ({ pool, spaceId, sample }, turn) =>
      pageOfLeaderboard(pool, { spaceId, viewerId: at(sample, turn) }),
    bare: ({ pool, spaceId }) => pool.query({ name: 'bare-page', text: ROWS, values: [spaceId, 0] }),
  },
  {
    figure: 'leaderboard, any page',
    own: (board, turn) =>
      pageOfLeaderboard(board.pool, {
        spaceId: board.spaceId,
        viewerId: at(board.sample, turn),
        page: 1 + Math.floor(someRow(board, turn) / LEADERBOARD_PAGE_SIZE),
      }),
    bare: (board, turn) =>
      board.pool.query({ name: 'bare-page', text: ROWS, values: [board.spaceId, someRow(board, turn)] }),
  },
  {
    figure: 'one’s own rank',
    own: ({ pool, spaceId, sample }, turn) => {
      const studentId = at(sample, turn);
      return findLeaderboardScore(pool, { spaceId, studentId, viewerId: studentId });
    },
    bare: ({ pool, spaceId, sample }, turn) =>
      pool.query({ name: 'bare-rank', text: COUNTED_RANK, values: [spaceId, at(sample, turn)] }),
  },
];

/** The queries of the leaderboard on a space of 200,000, one after the other, beside plain SQL without buckets. */
export async function measureLeaderboard(context: BenchContext): Promise<readonly Measurement[]> {
  const students = context.isQuick ? STUDENTS_QUICK : STUDENTS;
  const database = await keptDatabase(context, {
    name: `bench_leaderboard_${students}_v${EDITION}`,
    history: () => {
      context.log(`making a space of ${students} students; it is kept for later runs`);
      return new Crowd(students).history();
    },
    projections: projections.filter(({ name }) => FOLDED.includes(name)),
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
  if (!space) throw new Error('nobody has a score');
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

/** A fast page of the wrong rows would be no result. */
async function assertPagesHoldRanks(board: Board): Promise<void> {
  const { pool, spaceId } = board;
  for (let turn = 1; turn <= 20; turn += 1) {
    const page = 1 + Math.floor(someRow(board, turn * 31) / LEADERBOARD_PAGE_SIZE);
    const { docs } = await pageOfLeaderboard(pool, { spaceId, viewerId: null, page });
    for (const { student, rank } of docs) {
      const own = await findLeaderboardScore(pool, { spaceId, studentId: student._id, viewerId: null });
      if (own?.rank !== rank) throw new Error(`page ${page} says rank ${rank}, the rank is ${own?.rank}`);
    }
  }
}

async function measure(
  { seconds }: BenchContext,
  board: Board,
  { figure, own, bare }: Contestant,
): Promise<Measurement[]> {
  const timesOf = async (work: Contestant['own']): Promise<readonly number[]> => {
    let turn = 0;
    const paced = await closedLoop({
      clients: 1,
      seconds,
      work: async () => {
        await work(board, (turn += 1));
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
