import { MERIT_FLOOR } from '@nimo/domain';
import { sumsSql } from '../leaderboard/rescore.sql.js';
import type { AsOf } from './as-of.js';
import { factAtSql } from './fact-at.sql.js';
import { IS_CAST } from './history-days.table.js';

/** Facts that never changed are their first event and need no look at their events. */
const SIMPLE = `f.space_id = $2 and f.until_ordinal is null`;
const CHANGED = `f.space_id = $2 and f.until_ordinal is not null`;

/** Up to where events count, and from where on a snapshot does not know them. */
interface Bounds {
  readonly to: string;
  readonly from: string;
}

/** All but casts: `$3` is the point, an ordinal or a moment, `$5` and `$6` those of the snapshot. */
const OF_OTHERS = {
  ordinal: { to: '$3::bigint', from: '$5::bigint' },
  moment: { to: '$3::timestamptz', from: '$6::timestamptz' },
} as const satisfies Record<AsOf['by'], Bounds>;
/** Casts count for others as of the day's beginning: `$4` is that of the point, `$8` that of the snapshot. */
const OF_CASTS = {
  ordinal: { to: '$4::bigint', from: '$8::bigint' },
  moment: { to: '$4::timestamptz', from: '$8::timestamptz' },
} as const satisfies Record<AsOf['by'], Bounds>;

const ORDERS = {
  ordinal: {
    began: ({ to }: Bounds) => `f.ordinal <= ${to}`,
    isFresh: ({ from, to }: Bounds) => `f.ordinal > ${from} and f.ordinal <= ${to}`,
    // Its own moment bounds a snapshot by ordinal by nothing; the parameter must be used all the same.
    isTouched: ({ from, to }: Bounds) =>
      `f.until_ordinal > ${from} and f.ordinal <= ${to} and $6::timestamptz = 'infinity'`,
  },
  moment: {
    began: ({ to }: Bounds) => `f.occurred_at <= ${to}`,
    // The second part is what came into the log after the snapshot was made and happened before its moment.
    isFresh: ({ from, to }: Bounds) => `((f.occurred_at > ${from} and f.occurred_at <= ${to})
      or (f.ordinal > $5::bigint and f.occurred_at <= ${from}))`,
    isTouched: ({ from, to }: Bounds) =>
      `f.occurred_at <= ${to} and (f.until_at > ${from} or f.until_ordinal > $5::bigint)`,
  },
} as const;
type Condition = (bounds: Bounds) => string;

/** A statement for each of the two kinds of facts: each keeps to one range of an index. */
const ofBoth = (by: AsOf['by'], condition: Condition, statement: (condition: string) => string): string =>
  [
    statement(`not (${IS_CAST}) and ${condition(OF_OTHERS[by])}`),
    statement(`${IS_CAST} and ${condition(OF_CASTS[by])}`),
  ].join(' union all ');

const SIMPLE_COLUMNS = `f.space_id, f.student_id, f.kind, f.ordinal, f.occurred_at, true as standing, null::jsonb as reports`;

const simpleFacts = (by: AsOf['by'], condition: Condition, scope = 'true'): string =>
  ofBoth(
    by,
    condition,
    (counts) => `
      select ${SIMPLE_COLUMNS} from read.fact_history f
      where ${SIMPLE} and f.kind <> 'POST_REPORTED' and ${scope} and ${counts}`,
  );

const changedFacts = (by: AsOf['by'], condition: string): string => {
  const bound = `case when ${IS_CAST} then ${OF_CASTS[by].to} else ${OF_OTHERS[by].to} end`;
  return `
  select f.space_id, f.student_id, f.kind, v.ordinal, v.occurred_at, v.standing, v.reports
  from read.fact_history f cross join lateral (${factAtSql(by, bound)}) v
  where ${CHANGED} and ${ORDERS[by].began({ to: bound, from: '' })} and ${condition}`;
};

const COLUMNS =
  'student_id, merit, impact, last_ordinal, end_ordinal, questions_asked, questions_answered, answers_accepted';

/** From nothing: the scores of all facts of the space as they were. */
const fromFacts = (by: AsOf['by']): string => `
  ${sumsSql(`(${simpleFacts(by, ORDERS[by].began)} union all ${changedFacts(by, 'true')})`, 'true')},
  start as (select ${COLUMNS} from read.score_snapshot_rows where false)`;

const OF_REPLAYED = 'f.student_id in (select student_id from replayed)';

/**
 * From a snapshot (`$7`, of all that is up to `$5` in the log and had happened by `$6`, and of casts up to `$8`): new facts at the end are steps from the
 * snapshot's scores. Students to whose past something happened are replayed from their facts.
 */
const fromSnapshot = (by: AsOf['by']): string => `
  fresh as materialized (${simpleFacts(by, ORDERS[by].isFresh)}),
  kept as materialized (select ${COLUMNS} from read.score_snapshot_rows where snapshot_id = $7::bigint),
  replayed as materialized (
    ${ofBoth(
      by,
      ORDERS[by].isTouched,
      (touched) => `select f.student_id from read.fact_history f where ${CHANGED} and ${touched}`,
    )}
    union
    select fresh.student_id from fresh join kept on kept.student_id = fresh.student_id
    where fresh.ordinal <= kept.end_ordinal
  ),
  ${sumsSql(
    `(select * from fresh where not exists (select from replayed r where r.student_id = fresh.student_id)
      union all
      ${simpleFacts(by, ORDERS[by].began, OF_REPLAYED)}
      union all
      ${changedFacts(by, OF_REPLAYED)})`,
    'true',
  )},
  start as (select * from kept where not exists (select from replayed r where r.student_id = kept.student_id))`;

/**
 * The common tables up to `board`: everybody's score in the space as it was then.
 * `$1` is the weights table as JSON, `$2` the space, `$3` the ordinal or the moment, `$4` that up to which casts count; with a snapshot
 * further ones.
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
