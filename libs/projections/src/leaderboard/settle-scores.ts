import type { BatchEnd } from '../projection.js';
import { type KeptRows, ownScoreOf } from './score-rows.js';
import { writeLeaderboard } from './write-scores.js';

type Sql = Parameters<BatchEnd['run']>[1];

/** So many at a time: however many voted in a day, they are not in memory all at once. */
const SETTLED_AT_ONCE = 5_000;

const SETTLE = `
  with settled as (
    delete from {own_scores} where (student_id, space_id) in (
      select student_id, space_id from {own_scores} limit ${SETTLED_AT_ONCE}) returning *
  )
  select o.space_id, o.student_id, to_jsonb(o) as own, case when l.student_id is not null then to_jsonb(l) end as seen
  from settled o left join {leaderboard} l on l.student_id = o.student_id and l.space_id = o.space_id`;

/** Everybody's own score is what others see from now on. */
export async function settleScores(sql: Sql): Promise<void> {
  for (;;) {
    const rows = (await sql(SETTLE)) as unknown as KeptRows[];
    await writeLeaderboard(
      sql,
      rows.map((row) => ({ before: row.seen ?? undefined, after: ownScoreOf(row) })),
    );
    if (rows.length < SETTLED_AT_ONCE) return;
  }
}
