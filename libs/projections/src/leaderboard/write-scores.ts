import type { BatchEnd } from '../projection.js';
import type { LeaderboardRow } from './leaderboard.tables.js';
import { ADD_TO_BUCKETS, bucketSteps, REMOVE_EMPTY_BUCKETS } from './score-buckets.sql.js';
import { KEYS, keyValues, SCORE_COLUMNS } from './score-rows.js';

type Sql = Parameters<BatchEnd['run']>[1];

/** A row before and after; the same object where nothing is to be written. */
export interface RowStep {
  readonly before: LeaderboardRow | undefined;
  readonly after: LeaderboardRow | undefined;
}

const UPSERT = `
  insert into {leaderboard} (${SCORE_COLUMNS})
  select ${SCORE_COLUMNS} from jsonb_populate_recordset(null::{leaderboard}, $1::jsonb)
  on conflict (student_id, space_id) do update
  set (${SCORE_COLUMNS}) = row(${SCORE_COLUMNS.replaceAll(/\w+/g, 'excluded.$&')})`;

const REMOVE = `delete from {leaderboard} l using ${KEYS} where l.student_id = k.student_id and l.space_id = k.space_id`;

/** The rows, and the buckets that count them. */
export async function writeLeaderboard(sql: Sql, steps: readonly RowStep[]): Promise<void> {
  const moved = steps.filter(({ before, after }) => before !== after);
  const written = moved.flatMap(({ after }) => after ?? []);
  const gone = moved.flatMap(({ before, after }) => (before && !after ? [before] : []));
  const buckets = bucketSteps(moved);
  const lowered = buckets.filter(({ students }) => students < 0);
  await Promise.all([
    ...(written.length > 0 ? [sql(UPSERT, [JSON.stringify(written)])] : []),
    ...(gone.length > 0 ? [sql(REMOVE, keyValues(gone))] : []),
    ...(buckets.length > 0 ? [sql(ADD_TO_BUCKETS, [JSON.stringify(buckets)])] : []),
    ...(lowered.length > 0 ? [sql(REMOVE_EMPTY_BUCKETS, [JSON.stringify(lowered)])] : []),
  ]);
}
