import { latestVersion } from '@nimo/domain';
import type { BatchEnd } from '../projection.js';
import { givenToSchemaOwnerSql } from '@nimo/projection-engine';
import { leaderboard, scoreBuckets } from './leaderboard.tables.js';
import { publishedRules } from './read-scores.js';
import { rescoreEverybodySql, weightRows } from './rescore.sql.js';
import { BUCKETS_OF_ALL } from './score-buckets.sql.js';
import { beside, takePlaces } from './table-swap.js';

type Sql = Parameters<BatchEnd['run']>[1];

/** One statement reads all facts: it may take memory and every processor, and its plan is made for it. */
const FOR_LARGE_STATEMENTS = `
  select set_config(name, value, true) from (values ('work_mem', '128MB'), ('maintenance_work_mem', '128MB'),
    ('enable_seqscan', 'on'), ('plan_cache_mode', 'force_custom_plan'), ('parallel_setup_cost', '100'),
    ('parallel_tuple_cost', '0.005')) as s(name, value)`;

/**
 * Makes all rows by the published rules, in new tables that take the places of those that are read, in the transaction of the checkpoint.
 * Until then readers see the former scores and afterwards the new ones, and no dead rows are left behind. `create table as` is the one way
 * to write what parallel workers read.
 */
export async function rescoreEverybody(sql: Sql): Promise<void> {
  const versions = await publishedRules(sql);
  await sql(FOR_LARGE_STATEMENTS);
  await sql(
    `create table ${beside(leaderboard)} as select ${Object.keys(leaderboard.columns).join(', ')}
     from (select scored.*, $2::integer as rules_version from (${rescoreEverybodySql()}) scored) rescored`,
    [JSON.stringify(weightRows(versions)), latestVersion(versions)],
  );
  await sql(
    `create table ${beside(scoreBuckets)} as ${BUCKETS_OF_ALL.replaceAll('{leaderboard}', beside(leaderboard))}`,
  );
  for (const shape of [leaderboard, scoreBuckets]) await sql(givenToSchemaOwnerSql('table', beside(shape)));
  await takePlaces(sql, [leaderboard, scoreBuckets]);
}
