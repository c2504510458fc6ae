import {
  FACT_KINDS,
  type FactKind,
  RECEIVED_KINDS,
  latestVersion,
  MERIT_FLOOR,
  type ReportedPostType,
  rulesAt,
  type ScoringRules,
} from '@nimo/domain';
import { isoTime, type Queryable, type Statement } from '../queryable.js';
import { nameEvenIfRemoved } from '../removed-space.sql.js';
import { entriesSql, factsTable, weightRows } from './rescore.sql.js';
import { listScoringRules } from './scoring-rules.queries.js';

/** Lines per page. */
export const EXPLANATION_PAGE_SIZE = 50;
/** Days of a score's history that are returned; the latest. */
const HISTORY_DAYS = 1_000;
/** Retries when rules are published between the two reads. */
const MAX_ATTEMPTS = 3;

/** A line of the explanation: an action of the student, or the actions of others on one post on one day. */
export interface ScorePointView {
  readonly _id: string;
  readonly kind: FactKind;
  /** In UTC. A time zone chosen by the reader could reveal the exact time. */
  readonly day: string;
  /** Null for actions of others. */
  readonly occurredAt: string | null;
  readonly count: number;
  readonly reputations: number;
  readonly commitments: number;
  readonly rulesVersion: number;
  readonly post: ScoredPostView;
}

export interface ScoredPostView {
  readonly _id: string;
  readonly postType: ReportedPostType;
  readonly isRemoved: boolean;
  /** The question of the post; null if removed. */
  readonly question: { readonly _id: string; readonly title: string } | null;
}

export interface ScoreDayView {
  readonly day: string;
  /** Merit moved by the day's points. */
  readonly reputations: number;
  readonly commitments: number;
  /** Merit not lost because of the floor. */
  readonly heldByFloor: number;
  readonly reputationsAfter: number;
  readonly commitmentsAfter: number;
  readonly scoreAfter: number;
}

export interface ScoreReasonView {
  readonly kind: FactKind;
  readonly count: number;
  readonly reputations: number;
  readonly commitments: number;
}

export interface ScoreExplanationView {
  readonly docs: readonly ScorePointView[];
  readonly page: number;
  readonly totalPages: number;
  readonly total: number;
  /** Days of the points on this page, latest first. */
  readonly days: readonly ScoreDayView[];
  /** Totals over all points, regardless of the filter. */
  readonly reasons: readonly ScoreReasonView[];
  /** Merit not lost because of the floor, over all points. `startingReputations`, `reasons` and this add up to the score. */
  readonly heldByFloor: number;
  readonly startingReputations: number;
  readonly reputations: number;
  readonly commitments: number;
  readonly score: number;
  /** Version in force now. Each point has the version of its own time. */
  readonly rulesVersion: number;
}

interface DayColumns {
  day: string;
  day_merit: number;
  day_impact: number;
  day_floor: number;
  merit_after: number;
  impact_after: number;
}

interface PointColumns extends DayColumns {
  kind: FactKind;
  post_id: string;
  own_source: string | null;
  occurred_at: string | null;
  count: number;
  merit: number;
  impact: number;
  version: number;
  post_type: ReportedPostType;
  is_removed: boolean;
  question_id: string | null;
  title: string | null;
}

interface ScoreColumns {
  score: number | null;
  score_merit: number | null;
  score_impact: number | null;
  rules_version: number | null;
  total: number;
  held_by_floor: number;
  reasons: ScoreReasonView[] | null;
}

type ExplanationRow = ScoreColumns & (PointColumns | { readonly [C in keyof PointColumns]: null });

/**
 * Common table expressions up to `days`. With prefix sums P of the merit, the floor restores `max(0, -min P)` in total up to an
 * entry; `by_floor` is the increase at that entry, so points and `by_floor` add up to the score in any grouping.
 */
const DAYS = `
  with ${entriesSql(factsTable('read.score_facts'), 'f.space_id = $2 and f.student_id = $3', ['f.post_id', 'f.source_id', 'due.occurred_at', 'due.version'])},
  prefixed as (
    select *, sum(merit) over (order by ordinal rows unbounded preceding) as prefix from entries
  ), floored as (
    select *, greatest(0, -min(prefix) over (order by ordinal rows unbounded preceding)) as given from prefixed
  ), points as materialized (
    select kind, post_id, source_id, occurred_at, version, merit, impact,
      to_char(occurred_at at time zone 'UTC', 'YYYY-MM-DD') as day,
      given - lag(given, 1, 0::bigint) over (order by ordinal) as by_floor
    from floored
  ), days as (
    select day, sum(merit)::int as day_merit, sum(impact)::int as day_impact, sum(by_floor)::int as day_floor,
      (${MERIT_FLOOR} + sum(sum(merit + by_floor)) over (order by day))::int as merit_after,
      (sum(sum(impact)) over (order by day))::int as impact_after
    from points group by day
  )`;

const BY_OTHERS = RECEIVED_KINDS.map((kind) => `'${kind}'`).join(', ');

const LINES = `
  lines as materialized (
    select day, kind, post_id, own_source, (max(occurred_at) filter (where own_source is not null)) as at,
      count(*)::int as count, sum(merit)::int as merit, sum(impact)::int as impact, max(version) as version
    from points
    cross join lateral (select case when kind not in (${BY_OTHERS}) then source_id end as own_source) own
    where merit <> 0 or impact <> 0
    group by day, kind, post_id, own_source
  ), selected as (
    select * from lines where $4::text[] is null or kind = any($4::text[])
  )`;

/** Must not depend on the times of others' actions; even their order could reveal who acted. */
const ORDER = 'day desc, at desc nulls last, kind, post_id, own_source';

const POST = `
  case when a.answer_id is not null then 'ANSWER' when c.comment_id is null then 'QUESTION'
    when c.parent_type = 'QUESTION' then 'QUESTION_COMMENT' else 'COMMENT' end as post_type,
  q.question_id is null or q.is_removed or coalesce(a.is_removed, false) or coalesce(c.is_removed, false)
    or coalesce(ca.is_removed, false) as is_removed,
  case when not q.is_removed then q.question_id end as question_id, case when not q.is_removed then q.title end as title`;
const POST_JOINS = `
  left join read.answers a on a.answer_id = line.post_id
  left join read.comments c on c.comment_id = line.post_id
  left join read.answers ca on c.parent_type = 'ANSWER' and ca.answer_id = c.parent_id
  left join read.questions q on q.question_id = coalesce(a.question_id, c.question_id, line.post_id)`;

const EXPLANATION = `${DAYS}, ${LINES}
  select r.score::int as score, r.merit::int as score_merit, r.impact::int as score_impact, r.rules_version,
    (select count(*)::int from selected) as total,
    (select coalesce(sum(by_floor), 0)::int from points) as held_by_floor,
    (select jsonb_agg(jsonb_build_object('kind', kind, 'count', count, 'reputations', merit, 'commitments', impact))
     from (select kind, sum(count) as count, sum(merit) as merit, sum(impact) as impact from lines group by kind) by_kind
    ) as reasons, page.*
  from (select 1) one
  left join read.leaderboard r on r.space_id = $2 and r.student_id = $3
  left join lateral (
    select line.kind, line.post_id, line.own_source, ${isoTime('line.at')} as occurred_at, line.count, line.merit, line.impact,
      line.version, d.*, line.at, ${POST}
    from (select * from selected order by ${ORDER} limit $5 offset $6) line join days d on d.day = line.day ${POST_JOINS}
  ) page on true
  order by ${ORDER}`;

const dayFrom = (row: DayColumns): ScoreDayView => ({
  day: row.day,
  reputations: row.day_merit,
  commitments: row.day_impact,
  heldByFloor: row.day_floor,
  reputationsAfter: row.merit_after,
  commitmentsAfter: row.impact_after,
  scoreAfter: row.merit_after + row.impact_after,
});

const pointFrom = (row: PointColumns): ScorePointView => ({
  _id: [row.day, row.kind, row.post_id, row.own_source ?? 'others'].join(':'),
  kind: row.kind,
  day: row.day,
  occurredAt: row.occurred_at,
  count: row.count,
  reputations: row.merit,
  commitments: row.impact,
  rulesVersion: row.version,
  post: {
    _id: row.post_id,
    postType: row.post_type,
    isRemoved: row.is_removed,
    question: row.question_id === null ? null : { _id: row.question_id, title: row.title ?? '' },
  },
});

/**
 * Statements for all lines of a student's score explanations, one per space, latest first. Meant for cursors; run them in one
 * repeatable-read transaction for a consistent result.
 */
export async function ownPointsStatements(db: Queryable, studentId: string): Promise<readonly Statement[]> {
  const { rows } = await db.query<{ space_id: string }>({
    text: 'select distinct space_id from read.score_facts where student_id = $1 order by space_id',
    values: [studentId],
  });
  const versions = await listScoringRules(db);
  return rows.map(({ space_id: spaceId }) => ownPointsStatement(versions, { spaceId, studentId }));
}

const ownPointsStatement = (
  versions: readonly ScoringRules[],
  { spaceId, studentId }: { readonly spaceId: string; readonly studentId: string },
): Statement => ({
  text: `${DAYS}, ${LINES}
    select $2::text as "spaceId", ${nameEvenIfRemoved('$2')} as space, line.day, line.kind,
      ${isoTime('line.at')} as at, line.post_id as "postId", line.count, line.merit as reputations, line.impact as commitments,
      line.version as "rulesVersion"
    from selected line order by ${ORDER}`,
  values: [JSON.stringify(weightRows(versions)), spaceId, studentId, null],
});

export interface ExplanationOptions {
  readonly spaceId: string;
  readonly studentId: string;
  readonly kinds?: readonly FactKind[] | undefined;
  /** Determines the version of the rules in force. */
  readonly now: Date;
  readonly page?: number;
  readonly limit?: number;
}

/** A page of the explanation of a student's score, latest day first. Each page reads all facts of the student in the space. */
export async function pageOfScoreExplanation(
  db: Queryable,
  options: ExplanationOptions,
): Promise<ScoreExplanationView> {
  const { spaceId, studentId, kinds, now, page = 1, limit = EXPLANATION_PAGE_SIZE } = options;
  for (let attempt = 1; ; attempt += 1) {
    const versions = await listScoringRules(db);
    const weights = JSON.stringify(weightRows(versions));
    const values = [weights, spaceId, studentId, kinds?.length ? kinds : null, limit, (page - 1) * limit];
    const { rows } = await db.query<ExplanationRow>({ text: EXPLANATION, values });
    const latest = latestVersion(versions);
    const scoredBy = rows[0]?.rules_version ?? latest;
    const rulesVersion = rulesAt(versions, now.toISOString()).version;
    if (scoredBy === latest || attempt === MAX_ATTEMPTS)
      return explanationFrom(rows, { page, limit, rulesVersion });
  }
}

function explanationFrom(
  rows: readonly ExplanationRow[],
  { page, limit, rulesVersion }: Pick<ScoreExplanationView, 'page' | 'rulesVersion'> & { limit: number },
): ScoreExplanationView {
  const [head] = rows;
  const { total = 0 } = head ?? {};
  const points = rows.filter((row): row is ScoreColumns & PointColumns => row.kind !== null);
  const days = new Map(points.map((row) => [row.day, dayFrom(row)]));
  return {
    docs: points.map(pointFrom),
    page,
    totalPages: Math.ceil(total / limit),
    total,
    days: [...days.values()],
    reasons: (head?.reasons ?? []).toSorted(
      (left, right) => FACT_KINDS.indexOf(left.kind) - FACT_KINDS.indexOf(right.kind),
    ),
    heldByFloor: head?.held_by_floor ?? 0,
    startingReputations: head?.score_merit == null ? 0 : MERIT_FLOOR,
    reputations: head?.score_merit ?? 0,
    commitments: head?.score_impact ?? 0,
    score: head?.score ?? 0,
    rulesVersion,
  };
}

/** A student's score at the end of each day on which it changed, oldest first. */
export async function listScoreHistory(
  db: Queryable,
  { spaceId, studentId }: { readonly spaceId: string; readonly studentId: string },
): Promise<ScoreDayView[]> {
  const weights = JSON.stringify(weightRows(await listScoringRules(db)));
  const { rows } = await db.query<DayColumns>({
    text: `${DAYS} select * from days order by day desc limit ${HISTORY_DAYS}`,
    values: [weights, spaceId, studentId],
  });
  return rows.reverse().map(dayFrom);
}
