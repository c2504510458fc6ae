import type { BatchEnd } from '../projection.js';
import type { LeaderboardRow } from './leaderboard.tables.js';
import { ownScores, type OwnScoreRow } from './pending-casts.js';
import { ADD_TO_BUCKETS, bucketSteps, REMOVE_EMPTY_BUCKETS } from './score-buckets.sql.js';
import { KEYS, keyValues, SCORE_COLUMNS, type StudentKey } from './score-rows.js';

type Sql = Parameters<BatchEnd['run']>[1];

/** A row before and after; the same object where nothing is to be written. */
export interface RowStep<R extends StudentKey> {
  readonly before: R | undefined;
  readonly after: R | undefined;
}

const upsertSql = (table: string, columns: string): string => `
  insert into {${table}} (${columns})
  select ${columns} from jsonb_populate_recordset(null::{${table}}, $1::jsonb)
  on conflict (student_id, space_id) do update set (${columns}) = row(${columns.replaceAll(/\w+/g, 'excluded.$&')})`;

const removeSql = (table: string): string =>
  `delete from {${table}} l using ${KEYS} where l.student_id = k.student_id and l.space_id = k.space_id`;

async function writeRows<R extends StudentKey>(
  sql: Sql,
  table: string,
  columns: string,
  steps: readonly RowStep<R>[],
): Promise<void> {
  const written = steps.flatMap(({ before, after }) => (after && after !== before ? [after] : []));
  const gone = steps.flatMap(({ before, after }) => (before && !after ? [before] : []));
  await Promise.all([
    ...(written.length > 0 ? [sql(upsertSql(table, columns), [JSON.stringify(written)])] : []),
    ...(gone.length > 0 ? [sql(removeSql(table), keyValues(gone))] : []),
  ]);
}

const OWN_COLUMNS = Object.keys(ownScores.columns).join(', ');

export const writeOwnScores = (sql: Sql, steps: readonly RowStep<OwnScoreRow>[]): Promise<void> =>
  writeRows(sql, 'own_scores', OWN_COLUMNS, steps);

/** The rows, and the buckets that count them. */
export async function writeLeaderboard(sql: Sql, steps: readonly RowStep<LeaderboardRow>[]): Promise<void> {
  const buckets = bucketSteps(steps.filter(({ before, after }) => before !== after));
  const lowered = buckets.filter(({ students }) => students < 0);
  await Promise.all([
    writeRows(sql, 'leaderboard', SCORE_COLUMNS, steps),
    ...(buckets.length > 0 ? [sql(ADD_TO_BUCKETS, [JSON.stringify(buckets)])] : []),
    ...(lowered.length > 0 ? [sql(REMOVE_EMPTY_BUCKETS, [JSON.stringify(lowered)])] : []),
  ]);
}
