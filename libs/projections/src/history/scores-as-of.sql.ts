import { MERIT_FLOOR } from '@nimo/domain';
import { sumsSql } from '../leaderboard/rescore.sql.js';
import type { AsOf } from './as-of.js';
import { factAtSql } from './fact-at.sql.js';

/** Facts that never changed are their first event and need no look at their events. */
const SIMPLE = `f.space_id = $2 and f.until_ordinal is null`;
const CHANGED = `f.space_id = $2 and f.until_ordinal is not null`;

/** `$3` is the ordinal or the moment. */
const ORDERS = {
  ordinal: {
    began: 'f.ordinal <= $3::bigint',
    isFresh: 'f.ordinal > $4::bigint and f.ordinal <= $3::bigint',
    // Its own moment bounds a snapshot by ordinal by nothing; the parameter must be used all the same.
    isTouched: `f.until_ordinal > $4::bigint and f.ordinal <= $3::bigint and $5::timestamptz = 'infinity'`,
  },
  moment: {
    began: 'f.occurred_at <= $3::timestamptz',
    // The second part is what came into the log after the snapshot was made and happened before its moment.
    isFresh: `((f.occurred_at > $5::timestamptz and f.occurred_at <= $3::timestamptz)
      or (f.ordinal > $4::bigint and f.occurred_at <= $5::timestamptz))`,
    isTouched: `f.occurred_at <= $3::timestamptz and (f.until_at > $5::timestamptz or f.until_ordinal > $4::bigint)`,
  },
} as const;

const SIMPLE_COLUMNS = `f.space_id, f.student_id, f.kind, f.ordinal, f.occurred_at, true as standing, null::jsonb as reports`;

const simpleFacts = (condition: string): string =>
  `select ${SIMPLE_COLUMNS} from read.fact_history f
   where ${SIMPLE} and f.kind <> 'POST_REPORTED' and ${condition}`;

const changedFacts = (by: AsOf['by'], condition: string): string => `
  select f.space_id, f.student_id, f.kind, v.ordinal, v.occurred_at, v.standing, v.reports
  from read.fact_history f cross join lateral (${factAtSql(by)}) v
  where ${CHANGED} and ${ORDERS[by].began} and ${condition}`;

const COLUMNS =
  'student_id, merit, impact, last_ordinal, end_ordinal, questions_asked, questions_answered, answers_accepted';

/** From nothing: the scores of all facts of the space as they were. */
const fromFacts = (by: AsOf['by']): string => `
  ${sumsSql(`(${simpleFacts(ORDERS[by].began)} union all ${changedFacts(by, 'true')})`, 'true')},
  start as (select ${COLUMNS} from read.score_snapshot_rows where false)`;

/**
 * From a snapshot (`$6`, of all that is up to `$4` in the log and had happened by `$5`): new facts at the end are steps from the
 * snapshot's scores. Students to whose past something happened are replayed from their facts.
 */
const fromSnapshot = (by: AsOf['by']): string => `
  fresh as materialized (${simpleFacts(ORDERS[by].isFresh)}),
  kept as materialized (select ${COLUMNS} from read.score_snapshot_rows where snapshot_id = $6::bigint),
  replayed as materialized (
    select f.student_id from read.fact_history f where ${CHANGED} and ${ORDERS[by].isTouched}
    union
    select fresh.student_id from fresh join kept on kept.student_id = fresh.student_id
    where fresh.ordinal <= kept.end_ordinal
  ),
  ${sumsSql(
    `(select * from fresh where not exists (select from replayed r where r.student_id = fresh.student_id)
      union all
      ${simpleFacts(`${ORDERS[by].began} and f.student_id in (select student_id from replayed)`)}
      union all
      ${changedFacts(by, 'f.student_id in (select student_id from replayed)')})`,
    'true',
  )},
  start as (select * from kept where not exists (select from replayed r where r.student_id = kept.student_id))`;

/**
 * The common tables up to `board`: everybody's score in the space as it was then.
 * `$1` is the weights table as JSON, `$2` the space, `$3` the ordinal or the moment; with a snapshot further ones.
 */
export const boardSql = (by: AsOf['by'], isFromSnapshot: boolean): string => `
  ${isFromSnapshot ? fromSnapshot(by) : fromFacts(by)},
  scored as (
    select student_id,
      (coalesce(u.gained, 0) + greatest(coalesce(s.merit, ${MERIT_FLOOR}), ${MERIT_FLOOR} - coalesce(u.lowest, 0)))::bigint as merit,
      coalesce(s.impact, 0) + coalesce(u.impact, 0) as impact,
      greatest(u.last_ordinal, s.last_ordinal) as last_ordinal,
      greatest(u.end_ordinal, s.end_ordinal) as end_ordinal,
      coalesce(s.questions_asked, 0) + coalesce(u.questions_asked, 0) as questions_asked,
      coalesce(s.questions_answered, 0) + coalesce(u.questions_answered, 0) as questions_answered,
      coalesce(s.answers_accepted, 0) + coalesce(u.answers_accepted, 0) as answers_accepted
    from start s full join sums u using (student_id)
  ),
  board as materialized (select *, merit + impact as score from scored)`;

export const SNAPSHOT_COLUMNS = COLUMNS;
