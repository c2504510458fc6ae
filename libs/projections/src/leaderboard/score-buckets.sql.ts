import {
  BUCKET_ORDINALS,
  BUCKET_WIDTH,
  type LeaderboardRow,
  type ScoreBucketRow,
} from './leaderboard.tables.js';

/** Both buckets that count a row. */
function bucketsOf(row: LeaderboardRow): Omit<ScoreBucketRow, 'students'>[] {
  const { space_id, score, last_ordinal } = row;
  return [
    { space_id, width: BUCKET_WIDTH, low: score - (score % BUCKET_WIDTH), block: 0 },
    { space_id, width: 1, low: score, block: Math.floor(last_ordinal / BUCKET_ORDINALS) },
  ];
}

/** What the changes of rows add to buckets and take from them; a bucket whose steps cancel out is left alone. */
export function bucketSteps(
  changes: readonly {
    readonly before: LeaderboardRow | undefined;
    readonly after: LeaderboardRow | undefined;
  }[],
): ScoreBucketRow[] {
  const steps = new Map<string, ScoreBucketRow>();
  const add = (row: LeaderboardRow | undefined, by: number) => {
    for (const bucket of row ? bucketsOf(row) : []) {
      const identity = Object.values(bucket).join(' ');
      steps.set(identity, { ...bucket, students: (steps.get(identity)?.students ?? 0) + by });
    }
  };
  for (const { before, after } of changes) {
    add(before, -1);
    add(after, 1);
  }
  return [...steps.values()].filter(({ students }) => students !== 0);
}

const STEPS =
  'jsonb_to_recordset($1::jsonb) as s(space_id text, width integer, low bigint, block bigint, students bigint)';

export const ADD_TO_BUCKETS = `
  insert into {score_buckets} as b (space_id, width, low, block, students)
  select space_id, width, low, block, students from ${STEPS}
  on conflict (space_id, width, low, block) do update set students = b.students + excluded.students`;

export const REMOVE_EMPTY_BUCKETS = `
  delete from {score_buckets} b using ${STEPS}
  where b.space_id = s.space_id and b.width = s.width and b.low = s.low and b.block = s.block and b.students = 0`;

/** The same buckets from all rows at once. */
export const BUCKETS_OF_ALL = `
  select space_id, ${BUCKET_WIDTH} as width, score - score % ${BUCKET_WIDTH} as low, 0::bigint as block, count(*) as students
  from {leaderboard} group by 1, 3
  union all
  select space_id, 1, score, last_ordinal / ${BUCKET_ORDINALS}, count(*) from {leaderboard} group by 1, 3, 4`;
