import {
  FACT_KINDS,
  type FactKind,
  FORFEITED_KINDS,
  MERIT_FLOOR,
  rulesAt,
  safeguardsOf,
  type ScoringRules,
} from '@nimo/domain';
import {
  BUCKET_ORDINALS,
  BUCKET_WIDTH,
  type LeaderboardRow,
  type ScoreBucketRow,
} from './leaderboard.tables.js';

/** A row of the weights table joined by the SQL: the weight of a kind in `[since, until)`. */
type WeightRow = {
  readonly kind: FactKind;
  readonly since: string;
  readonly until: string;
  readonly merit: number;
  readonly impact: number;
  readonly threshold: number;
  readonly version: number;
  /** See `acceptancePaysOncePerQuestion`. */
  readonly pays_once: boolean;
  /** See `deletionForfeitsWithinHours`; 0 for kinds that a deletion does not affect. */
  readonly forfeit_hours: number;
  /** See `upheldReportsCount`. */
  readonly upheld_counts: boolean;
  /** See `downvotesNeedMerit`. */
  readonly needs_merit: boolean;
};

/** The rules as time spans, one for each time a version takes effect. Uses `rulesAt`, like the fold. */
export function weightRows(versions: readonly ScoringRules[]): WeightRow[] {
  const starts = versions.flatMap(({ effectiveFrom }) => (effectiveFrom === null ? [] : [effectiveFrom]));
  const times = [INFINITE_PAST, ...[...new Set(starts)].sort()];
  return times.flatMap((since, index) => {
    const rules = rulesAt(versions, since === INFINITE_PAST ? EARLIEST : since);
    const { weights, reportThreshold, version } = rules;
    const safeguards = safeguardsOf(rules);
    const until = times[index + 1] ?? INFINITE_FUTURE;
    return FACT_KINDS.map((kind) => ({
      kind,
      since,
      until,
      ...weights[kind],
      threshold: reportThreshold,
      version,
      pays_once: safeguards.acceptancePaysOncePerQuestion,
      forfeit_hours: FORFEITED_KINDS.includes(kind) ? safeguards.deletionForfeitsWithinHours : 0,
      upheld_counts: safeguards.upheldReportsCount,
      needs_merit: safeguards.downvotesNeedMerit,
    }));
  });
}

const INFINITE_PAST = '-infinity';
const INFINITE_FUTURE = 'infinity';
/** The earliest time an ISO string with a four-digit year can represent. */
const EARLIEST = '0000-01-01T00:00:00.000Z';

/** Posts that their authors deleted: `posted_at` and `deleted_at` by space, student and post. */
const deletedPostsSql = (facts: string): string =>
  `(select space_id, student_id, post_id, occurred_at as posted_at, deleted_at from ${facts} where deleted_at is not null)`;

/** SQL equivalent of `isRobot`, negated. */
const IS_PERSON = `substr(f.student_id, 14, 2) <> '-8'`;

/** The facts of a statement. */
export interface FactsSource {
  /** Table or subquery with the columns of `score_facts`. */
  readonly facts: string;
  /** Relation like `deletedPostsSql`. */
  readonly deletedPosts: string;
}

export const factsTable = (table: string): FactsSource => ({
  facts: table,
  deletedPosts: deletedPostsSql(table),
});

/**
 * Common table expressions `weights` and `entries`: the effect of each standing fact on its student's score. `$1` is the weights
 * table as JSON. Not materialized, since parallel workers cannot read materialized CTEs; integers, since they add up fastest.
 * @param scope condition on `f`, the alias of the facts
 * @param extraColumns further columns of an entry, from `f` or from `due`, which has `occurred_at` and the rules' `version`
 */
export const entriesSql = (
  { facts, deletedPosts }: FactsSource,
  scope: string,
  extraColumns: readonly string[] = [],
): string => {
  const columns = [
    'f.space_id',
    'f.student_id',
    'due.ordinal',
    'f.kind',
    'due.merit',
    'due.impact',
    ...extraColumns,
  ];
  return `
  weights as not materialized (
    select * from jsonb_to_recordset($1::jsonb) as w(kind text, since timestamptz, until timestamptz, merit integer,
      impact integer, threshold integer, version integer, pays_once boolean, forfeit_hours integer, upheld_counts boolean,
      needs_merit boolean)
  ), entries as not materialized (
    select ${columns.join(', ')}
    from ${facts} f
    join weights w on w.kind = f.kind and f.occurred_at >= w.since and f.occurred_at < w.until
    left join ${deletedPosts} gone
      on gone.space_id = f.space_id and gone.student_id = f.student_id and gone.post_id = f.post_id
    cross join lateral (select f.ordinal, f.occurred_at, w.merit, w.impact, w.version) due
    where f.standing and ${IS_PERSON} and f.kind <> 'POST_REPORTED' and not (f.superseded and w.pays_once)
      and not coalesce(w.forfeit_hours > 0 and gone.deleted_at <= gone.posted_at + w.forfeit_hours * interval '1 hour', false)
      and ${scope}
    union all
    select ${columns.join(', ')}
    from ${facts} f
    cross join lateral (
      select * from (
        select (report.item ->> 'ordinal')::bigint as ordinal, (report.item ->> 'occurredAt')::timestamptz as occurred_at,
          w.merit, w.impact, w.version
        from jsonb_array_elements(f.reports) with ordinality as report (item, place)
        join weights w on w.kind = f.kind and (report.item ->> 'occurredAt')::timestamptz >= w.since
          and (report.item ->> 'occurredAt')::timestamptz < w.until
        where report.place >= w.threshold
        union all
        select (f.upheld ->> 'ordinal')::bigint, (f.upheld ->> 'occurredAt')::timestamptz, w.merit, w.impact, w.version
        from weights w
        where w.kind = f.kind and (f.upheld ->> 'occurredAt')::timestamptz >= w.since
          and (f.upheld ->> 'occurredAt')::timestamptz < w.until and (w.upheld_counts or (f.upheld ->> 'isFull')::boolean)
      ) either order by ordinal limit 1
    ) due
    where f.standing and ${IS_PERSON} and f.kind = 'POST_REPORTED' and ${scope}
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
 * Common table expressions up to `sums`: the totals of the standing facts per student, with prefix sums of the merit in log order.
 * An earlier merit of m becomes `gained + max(m, floor - lowest)`. `$1` is the weights table as JSON.
 * @param scope condition on `f`, the alias of `facts`
 */
export const sumsSql = (facts: FactsSource, scope: string): string => `
  ${entriesSql(facts, scope)}, running as (
    select *, sum(merit) over (partition by student_id, space_id order by ordinal rows unbounded preceding) as prefix
    from entries
  ), sums as (
    select space_id, student_id, sum(merit) as gained, min(prefix) as lowest, sum(impact) as impact,
      max(ordinal) as end_ordinal, ${COUNTS}
    from running group by student_id, space_id
  )`;

/**
 * Scores of some students from their standing facts in one pass. With prefix sums P, merit is `P_n + max(1, 1 - min P_k)`.
 * `$1` is the weights table as JSON.
 * @param scope condition on `f`, the alias of the facts table
 */
export const rescoreSql = (scope: string): string => `
  with ${sumsSql(factsTable('{score_facts}'), scope)}, scores as (
    select *, gained + greatest(${MERIT_FLOOR}, ${MERIT_FLOOR} - lowest) as merit from sums
  )
  select ${SCORE_COLUMNS} from scores`;

/**
 * Scores of all students. Sorting is the most expensive step and only needed to find merit below zero, so totals are hashed and only
 * entries that move merit are sorted. Partitions by student before space: sorts compare the first eight bytes first, and
 * thousands of students share a space.
 */
export const rescoreAllSql = (facts = '{score_facts}', scope = 'true'): string => `
  with ${entriesSql(factsTable(facts), scope)}, sums as (
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

/**
 * Downvotes per student that cost more merit than the student had when casting them, if the rules of that time require it. Reads
 * nothing if no rules do. `$1` is the weights table as JSON.
 */
export const refusedDownvotesSql = (facts: string): string => `
  with ${entriesSql(
    factsTable(facts),
    `exists (select from weights where needs_merit)
      and (f.space_id, f.student_id) in (select space_id, student_id from ${facts} where kind = 'DOWNVOTE_CAST')`,
    ['due.version'],
  )}, before as (
    select *, sum(merit) over (partition by student_id, space_id order by ordinal rows unbounded preceding) - merit as earlier
    from entries
  ), floored as (
    select *, min(earlier) over (partition by student_id, space_id order by ordinal rows unbounded preceding) as lowest
    from before
  )
  select space_id, student_id, count(*)::integer as refused from floored
  where kind = 'DOWNVOTE_CAST' and version in (select version from weights where needs_merit)
    and earlier + ${MERIT_FLOOR} - lowest + merit < ${MERIT_FLOOR}
  group by space_id, student_id`;

/** The two buckets that contain a row. */
function bucketsOf(row: LeaderboardRow): Omit<ScoreBucketRow, 'students'>[] {
  const { space_id, score, last_ordinal } = row;
  return [
    { space_id, width: BUCKET_WIDTH, low: score - (score % BUCKET_WIDTH), block: 0 },
    { space_id, width: 1, low: score, block: Math.floor(last_ordinal / BUCKET_ORDINALS) },
  ];
}

/** Changes to the bucket counts, without those that cancel out. */
export function bucketChanges(
  changes: readonly {
    readonly before: LeaderboardRow | undefined;
    readonly after: LeaderboardRow | undefined;
  }[],
): ScoreBucketRow[] {
  const buckets = new Map<string, ScoreBucketRow>();
  const add = (row: LeaderboardRow | undefined, by: number) => {
    for (const bucket of row ? bucketsOf(row) : []) {
      const identity = Object.values(bucket).join(' ');
      buckets.set(identity, { ...bucket, students: (buckets.get(identity)?.students ?? 0) + by });
    }
  };
  for (const { before, after } of changes) {
    add(before, -1);
    add(after, 1);
  }
  return [...buckets.values()].filter(({ students }) => students !== 0);
}

const CHANGES =
  'jsonb_to_recordset($1::jsonb) as s(space_id text, width integer, low bigint, block bigint, students bigint)';

export const ADD_TO_BUCKETS = `
  insert into {score_buckets} as b (space_id, width, low, block, students)
  select space_id, width, low, block, students from ${CHANGES}
  on conflict (space_id, width, low, block) do update set students = b.students + excluded.students`;

export const REMOVE_EMPTY_BUCKETS = `
  delete from {score_buckets} b using ${CHANGES}
  where b.space_id = s.space_id and b.width = s.width and b.low = s.low and b.block = s.block and b.students = 0`;

/** Calculates all buckets from the leaderboard. */
export const ALL_BUCKETS = `
  select space_id, ${BUCKET_WIDTH} as width, score - score % ${BUCKET_WIDTH} as low, 0::bigint as block, count(*) as students
  from {leaderboard} group by 1, 3
  union all
  select space_id, 1, score, last_ordinal / ${BUCKET_ORDINALS}, count(*) from {leaderboard} group by 1, 3, 4`;
