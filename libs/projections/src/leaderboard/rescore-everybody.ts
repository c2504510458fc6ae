import { MERIT_FLOOR, type ScoringRules } from '@nimo/domain';
import type { BatchEnd } from '../projection.js';
import { givenToSchemaOwnerSql } from '@nimo/projection-engine';
import { leaderboard, scoreBuckets } from './leaderboard.tables.js';
import { ownScores, publicFactsSql } from './pending-casts.js';
import { rescoreEverybodySql, rescoreSql, weightRows } from './rescore.sql.js';
import { BUCKETS_OF_ALL } from './score-buckets.sql.js';
import { beside, takePlaces } from './table-swap.js';

type Sql = Parameters<BatchEnd['run']>[1];

/** One statement reads all facts: it may take memory and every processor, and its plan is made for it. */
const FOR_LARGE_STATEMENTS = `
  select set_config(name, value, true) from (values ('work_mem', '128MB'), ('maintenance_work_mem', '128MB'),
    ('enable_seqscan', 'on'), ('plan_cache_mode', 'force_custom_plan'), ('parallel_setup_cost', '100'),
    ('parallel_tuple_cost', '0.005')) as s(name, value)`;

/**
 * New rules: every row anew, in tables beside those that are read, which take their places in the transaction of the checkpoint. Until
 * then readers see the former scores and afterwards the new ones, and no dead rows are left behind. `create table as` is the one way
 * to write what parallel workers read.
 */
export async function rescoreEverybody(
  sql: Sql,
  versions: readonly ScoringRules[],
  version: number,
): Promise<void> {
  await sql(FOR_LARGE_STATEMENTS);
  const weights = JSON.stringify(weightRows(versions));
  const [pending] = await sql('select 1 from {pending_casts} limit 1');
  await sql(
    `create table ${beside(leaderboard)} as select ${Object.keys(leaderboard.columns).join(', ')}
     from (select scored.*, $2::integer as rules_version from (${rescoreEverybodySql(pending && publicFactsSql('true'))}) scored) anew`,
    [weights, version],
  );
  await sql(
    `create table ${beside(scoreBuckets)} as ${BUCKETS_OF_ALL.replaceAll('{leaderboard}', beside(leaderboard))}`,
  );
  for (const shape of [leaderboard, scoreBuckets]) await sql(givenToSchemaOwnerSql('table', beside(shape)));
  await takePlaces(sql, [leaderboard, scoreBuckets]);
  await sql('delete from {own_scores}');
  if (pending) await sql(OWN_ANEW, [weights, version]);
}

const OF_PENDING = 'select distinct space_id, student_id from {pending_casts}';

/** Of those whose own score is not what others see: few, since a day's casts are. */
const OWN_ANEW = `
  insert into {own_scores} (${Object.keys(ownScores.columns).join(', ')})
  select k.space_id, k.student_id, coalesce(s.merit, ${MERIT_FLOOR}), coalesce(s.impact, 0), coalesce(s.score, ${MERIT_FLOOR}),
    coalesce(s.last_ordinal, 0), coalesce(s.questions_asked, 0), coalesce(s.questions_answered, 0),
    coalesce(s.answers_accepted, 0), $2::integer, s.student_id is not null
  from (${OF_PENDING}) k
  left join (${rescoreSql(`(f.space_id, f.student_id) in (${OF_PENDING})`)}) s using (space_id, student_id)`;
