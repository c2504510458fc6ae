import { FACT_KINDS, type FactKind, MERIT_FLOOR, rulesAt, type ScoringRules } from '@nimo/domain';
import {
  BUCKET_ORDINALS,
  BUCKET_WIDTH,
  type LeaderboardRow,
  type ScoreBucketRow,
} from './leaderboard.tables.js';

/** One row of the weights table that the SQL joins: what a kind weighs in `[since, until)`. */
type WeightRow = {
  readonly kind: FactKind;
  readonly since: string;
  readonly until: string;
  readonly merit: number;
  readonly impact: number;
  readonly threshold: number;
  readonly version: number;
};

/**
 * The rules as spans of time, from the same `rulesAt` that the fold asks: between two moments at which some version
 * begins, the rules are those of the earlier moment.
 */
export function weightRows(versions: readonly ScoringRules[]): WeightRow[] {
  const beginnings = versions.flatMap(({ effectiveFrom }) => (effectiveFrom === null ? [] : [effectiveFrom]));
  const moments = [BEFORE_ALL, ...[...new Set(beginnings)].sort()];
  return moments.flatMap((moment, index) => {
    const { weights, reportThreshold, version } = rulesAt(
      versions,
      moment === BEFORE_ALL ? EARLIEST : moment,
    );
    const since = moment;
    const until = moments[index + 1] ?? AFTER_ALL;
    return FACT_KINDS.map((kind) => ({
      kind,
      since,
      until,
      ...weights[kind],
      threshold: reportThreshold,
      version,
    }));
  });
}

const BEFORE_ALL = '-infinity';
const AFTER_ALL = 'infinity';
/** The earliest time that ISO strings with a four-digit year can tell. */
const EARLIEST = '0000-01-01T00:00:00.000Z';

/**
 * The common tables `weights` and `entries`: what every standing fact does to its student's score. `$1` is the weights table as JSON.
 * Neither is materialised: parallel workers may not read a common table that is, and whole numbers of 32 bits add up the fastest.
 * @param facts the facts' table
 * @param scope a condition on `f`, its alias
 * @param also further columns of an entry; `f` is its fact, `due` has its `occurred_at` and the `version` of the rules
 */
export const entriesSql = (facts: string, scope: string, also: readonly string[] = []): string => {
  const columns = ['f.space_id', 'f.student_id', 'due.ordinal', 'f.kind', 'due.merit', 'due.impact', ...also];
  return `
  weights as not materialized (
    select * from jsonb_to_recordset($1::jsonb) as w(kind text, since timestamptz, until timestamptz, merit integer,
      impact integer, threshold integer, version integer)
  ), entries as not materialized (
    select ${columns.join(', ')}
    from ${facts} f
    join weights w on w.kind = f.kind and f.occurred_at >= w.since and f.occurred_at < w.until
    cross join lateral (select f.ordinal, f.occurred_at, w.merit, w.impact, w.version) due
    where f.standing and f.kind <> 'POST_REPORTED' and ${scope}
    union all
    select ${columns.join(', ')}
    from ${facts} f
    cross join lateral (
      select (report.item ->> 'ordinal')::bigint as ordinal, (report.item ->> 'occurredAt')::timestamptz as occurred_at,
        w.merit, w.impact, w.version
      from jsonb_array_elements(f.reports) with ordinality as report (item, place)
      join weights w on w.kind = f.kind and (report.item ->> 'occurredAt')::timestamptz >= w.since
        and (report.item ->> 'occurredAt')::timestamptz < w.until
      where report.place >= w.threshold
      order by report.place limit 1
    ) due
    where f.standing and f.kind = 'POST_REPORTED' and ${scope}
  )`;
};

const COUNTS = `
      coalesce(max(ordinal) filter (where merit <> 0 or impact <> 0), 0) as last_ordinal,
      (count(*) filter (where kind = 'QUESTION_POSTED'))::integer as questions_asked,
      (count(*) filter (where kind = 'ANSWER_POSTED'))::integer as questions_answered,
      (count(*) filter (where kind = 'ANSWER_ACCEPTED'))::integer as answers_accepted`;

const SCORE_COLUMNS = `space_id, student_id, merit, impact, merit + impact as score, last_ordinal, questions_asked, questions_answered,
    answers_accepted`;

/**
 * The common tables up to `sums`: what the standing facts of some students come to, with the prefix sums P of the merit in log order.
 * Whoever had the merit m before has `gained + max(m, floor - lowest)` after it. `$1` is the weights table as JSON.
 * @param scope a condition on `f`, the facts' table
 */
export const sumsSql = (facts: string, scope: string): string => `
  ${entriesSql(facts, scope)}, running as (
    select *, sum(merit) over (partition by student_id, space_id order by ordinal rows unbounded preceding) as prefix
    from entries
  ), sums as (
    select space_id, student_id, sum(merit) as gained, min(prefix) as lowest, sum(impact) as impact,
      max(ordinal) as end_ordinal, ${COUNTS}
    from running group by student_id, space_id
  )`;

/**
 * Scores of some students from their standing facts in one pass: merit is `P_n + max(1, 1 - min P_k)`.
 * `$1` is the weights table as JSON.
 * @param scope a condition on `f`, the facts' table
 */
export const rescoreSql = (scope: string): string => `
  with ${sumsSql('{score_facts}', scope)}, scores as (
    select *, gained + greatest(${MERIT_FLOOR}, ${MERIT_FLOOR} - lowest) as merit from sums
  )
  select ${SCORE_COLUMNS} from scores`;

/**
 * The same of everybody. Only merit that falls below nothing needs the order of the log, and a sort costs the most: so sums are
 * hashed, and sorted is what moves merit alone. By student before space: a sort compares the first eight bytes at once, and thousands
 * share a space.
 */
export const rescoreEverybodySql = (facts = '{score_facts}', scope = 'true'): string => `
  with ${entriesSql(facts, scope)}, sums as (
    select student_id, space_id, sum(merit) as points, sum(impact) as impact, ${COUNTS}
    from entries group by student_id, space_id
  ), prefixes as (
    select student_id, space_id,
      sum(merit) over (partition by student_id, space_id order by ordinal rows unbounded preceding) as prefix
    from entries where merit <> 0
  ), fallen as (
    select student_id, space_id, min(prefix) as lowest
    from prefixes group by student_id, space_id having min(prefix) < 0
  ), scores as (
    select *, points + ${MERIT_FLOOR} - coalesce(lowest, 0) as merit
    from sums left join fallen using (student_id, space_id)
  )
  select ${SCORE_COLUMNS} from scores`;

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
