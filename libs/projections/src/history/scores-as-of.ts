import {
  DEFAULT_SCORING_RULES,
  type FactKind,
  MERIT_FLOOR,
  POSTING_KINDS,
  rulesAt,
  type ScoreFact,
  type ScoringRules,
  type UpholdingFact,
} from '@nimo/domain';
import { sumsSql, weightRows } from '../leaderboard/rescore.sql.js';
import { isoTime, type Queryable } from '../queryable.js';
import { ALL } from '../totals.js';

/**
 * A point in the history. By ordinal, it includes all events up to that log position; by moment, all events that had occurred by
 * then, wherever they are in the log. The two differ because an import appends old events at the end of the log.
 */
export type AsOf =
  | { readonly by: 'ordinal'; readonly ordinal: number }
  | { readonly by: 'moment'; readonly at: string };

export const boundOf = (asOf: AsOf): number | string => (asOf.by === 'ordinal' ? asOf.ordinal : asOf.at);

export const isCounted = (
  asOf: AsOf,
  event: { readonly ordinal: number; readonly metadata: { readonly occurredAt: string } },
): boolean => (asOf.by === 'ordinal' ? event.ordinal <= asOf.ordinal : event.metadata.occurredAt <= asOf.at);

/** `$3` is the ordinal or the moment. */
const COUNTS = { ordinal: 'ordinal <= $3::bigint', moment: 'occurred_at <= $3::timestamptz' } as const;

const kindList = (kinds: readonly FactKind[]): string => kinds.map((kind) => `'${kind}'`).join(', ');

/** Compares the columns in key order, to use the primary key's index. */
const eventsOf = (alias: string, by: AsOf['by']): string => `
  read.fact_events ${alias} where ${alias}.space_id = f.space_id and ${alias}.student_id = f.student_id
    and ${alias}.kind = f.kind and ${alias}.post_id = f.post_id and ${alias}.source_id = f.source_id
    and ${alias}.${COUNTS[by]}`;

const IS_POSTED = `type in ('QuestionAsked', 'AnswerPosted', 'CommentPosted')`;
const IS_DELETED = `type in ('QuestionDeleted', 'AnswerDeleted', 'CommentDeleted')`;
/** The acceptance of another answer has a `detail`. */
const isStart = (alias: string): string =>
  `(${alias}.${IS_POSTED} or ${alias}.type in ('VoteCast', 'PostReported')
    or (${alias}.type = 'AnswerAccepted' and ${alias}.detail is null))`;
const isEnd = (alias: string): string =>
  `(${alias}.type in ('VoteWithdrawn', 'ReportsDismissed', 'UpholdingReversed')
    or (${alias}.type = 'ReportsUpheld' and ${alias}.detail = 'NONE'))`;
/** Kinds for which the last cast counts. For all others, including the impact of a vote, the first event counts. */
const USES_LAST_CAST = `f.kind in ('QUESTION_UPVOTED', 'QUESTION_DOWNVOTED', 'ANSWER_UPVOTED', 'ANSWER_DOWNVOTED', 'DOWNVOTE_CAST')`;

/**
 * SQL equivalent of `foldFact` over the included events of a fact `f`; no row before the fact exists. Calculated on read instead of
 * stored: by moment, an event may be included while an earlier one in the log is not, so every late event of an import would change
 * the stored values.
 */
export const factAtSql = (by: AsOf['by']): string => `
  select due.ordinal, due.occurred_at,
    coalesce(s.last_end < due.ordinal, true) and not exists (
      select from ${eventsOf('i', by)} and i.type = 'VotesInvalidated' and i.ordinal > s.first_begin
      and not exists (
        select from ${eventsOf('r', by)} and r.type = 'InvalidationReversed' and r.detail = i.detail and r.ordinal > i.ordinal
      )
    ) as standing,
    case when f.kind = 'POST_REPORTED' then (
      select jsonb_agg(jsonb_build_object('ordinal', d.ordinal, 'occurredAt', d.occurred_at) order by d.ordinal)
      from (
        select distinct on (p.detail) p.ordinal, p.occurred_at from ${eventsOf('p', by)} and p.type = 'PostReported'
        order by p.detail, p.ordinal
      ) d
    ) end as reports,
    case when f.kind = 'POST_REPORTED' then (
      select jsonb_build_object('ordinal', u.ordinal, 'occurredAt', u.occurred_at, 'isFull', coalesce(u.detail = 'FULL', false))
      from ${eventsOf('u', by)}
      and u.type = 'ReportsUpheld' and u.ordinal > s.first_begin order by u.ordinal limit 1
    ) end as upheld,
    case when f.kind in (${kindList(POSTING_KINDS)}) then (
      select g.occurred_at from ${eventsOf('g', by)}
      and g.${IS_DELETED} and g.ordinal > s.first_begin order by g.ordinal limit 1
    ) end as deleted_at,
    f.kind in ('ANSWER_ACCEPTED', 'ACCEPTED_AN_ANSWER') and (
      select a.detail is not null from ${eventsOf('a', by)}
      and a.type = 'AnswerAccepted' order by a.ordinal desc limit 1
    ) as superseded
  from (
    select min(e.ordinal) filter (where ${isStart('e')}) as first_begin,
      max(e.ordinal) filter (where ${isStart('e')}) as last_begin, max(e.ordinal) filter (where ${isEnd('e')}) as last_end
    from ${eventsOf('e', by)}
  ) s
  cross join lateral (
    select b.ordinal, b.occurred_at from ${eventsOf('b', by)}
    and b.ordinal = case when ${USES_LAST_CAST} then s.last_begin else s.first_begin end
  ) due`;

/** Facts that never changed equal their first event; their events are not read. */
const SIMPLE = `f.space_id = $2 and f.until_ordinal is null`;
const CHANGED = `f.space_id = $2 and f.until_ordinal is not null`;

/** `$3` is the ordinal or the moment. */
const BOUNDS = {
  ordinal: {
    began: 'f.ordinal <= $3::bigint',
    isNew: 'f.ordinal > $4::bigint and f.ordinal <= $3::bigint',
    // A snapshot by ordinal has no time bound, but the statement must use the parameter.
    isTouched: `f.until_ordinal > $4::bigint and f.ordinal <= $3::bigint and $5::timestamptz = 'infinity'`,
  },
  moment: {
    began: 'f.occurred_at <= $3::timestamptz',
    // The second condition covers late events: logged after the snapshot, but with an earlier time.
    isNew: `((f.occurred_at > $5::timestamptz and f.occurred_at <= $3::timestamptz)
      or (f.ordinal > $4::bigint and f.occurred_at <= $5::timestamptz))`,
    isTouched: `f.occurred_at <= $3::timestamptz and (f.until_at > $5::timestamptz or f.until_ordinal > $4::bigint)`,
  },
} as const;

const SIMPLE_COLUMNS = `f.space_id, f.student_id, f.kind, f.post_id, f.ordinal, f.occurred_at, true as standing,
    null::jsonb as reports, null::jsonb as upheld, false as superseded`;

const simpleFacts = (condition: string): string =>
  `select ${SIMPLE_COLUMNS} from read.fact_history f
   where ${SIMPLE} and f.kind <> 'POST_REPORTED' and ${condition}`;

const changedFacts = (by: AsOf['by'], condition: string): string => `
  select f.space_id, f.student_id, f.kind, f.post_id, v.ordinal, v.occurred_at, v.standing, v.reports, v.upheld, v.superseded
  from read.fact_history f cross join lateral (${factAtSql(by)}) v
  where ${CHANGED} and ${BOUNDS[by].began} and ${condition}`;

const FACT_COLUMNS = 'f.student_id, f.kind, f.post_id, f.source_id';
const IS_WANTED = 'f.student_id = any($1::text[]) and ($4::text[] is null or f.post_id = any($4::text[]))';

/** `$1` the students, `$2` the space, `$3` the ordinal, `$4` the posts or null. */
const STUDENT_FACTS = `
  select ${FACT_COLUMNS}, f.ordinal::float8 as ordinal, ${isoTime('f.occurred_at')} as occurred_at, true as standing,
    null::jsonb as reports, null::jsonb as upheld, null as deleted_at, false as superseded
  from read.fact_history f
  where ${SIMPLE} and f.kind <> 'POST_REPORTED' and ${BOUNDS.ordinal.began} and ${IS_WANTED}
  union all
  select ${FACT_COLUMNS}, v.ordinal::float8, ${isoTime('v.occurred_at')}, v.standing, v.reports, v.upheld,
    ${isoTime('v.deleted_at')}, v.superseded
  from read.fact_history f cross join lateral (${factAtSql('ordinal')}) v
  where ${CHANGED} and ${BOUNDS.ordinal.began} and ${IS_WANTED}`;

interface FactColumns {
  student_id: string;
  kind: FactKind;
  post_id: string;
  source_id: string;
  ordinal: number;
  occurred_at: string;
  standing: boolean;
  reports: { readonly ordinal: number; readonly occurredAt: string }[] | null;
  upheld: UpholdingFact | null;
  deleted_at: string | null;
  superseded: boolean;
}

const inUtc = <Dated extends { readonly occurredAt: string }>(dated: Dated): Dated => ({
  ...dated,
  occurredAt: new Date(dated.occurredAt).toISOString(),
});

export interface FactsAsOfOptions {
  readonly spaceId: string;
  /** Includes all events up to this log position. */
  readonly ordinal: number;
  readonly studentIds: readonly string[];
  /** Defaults to all posts. */
  readonly postIds?: readonly string[];
}

/** Facts of some students at an earlier point, as scores need them: without reporters and the cases that invalidated a vote. */
export async function listFactsAsOf(
  db: Queryable,
  { spaceId, ordinal, studentIds, postIds }: FactsAsOfOptions,
): Promise<ScoreFact[]> {
  const { rows } = await db.query<FactColumns>({
    text: STUDENT_FACTS,
    values: [studentIds, spaceId, ordinal, postIds ?? null],
  });
  return rows.map((row) => ({
    spaceId,
    studentId: row.student_id,
    kind: row.kind,
    postId: row.post_id,
    sourceId: row.source_id,
    ordinal: row.ordinal,
    occurredAt: row.occurred_at,
    held: row.standing,
    invalidatedBy: [],
    standing: row.standing,
    round: null,
    reports: (row.reports ?? []).map((report) => ({ ...inUtc(report), reporterId: '' })),
    upheld: row.upheld && inUtc(row.upheld),
    deletedAt: row.deleted_at,
    superseded: row.superseded,
  }));
}

/** Equivalent of `deletedPostsSql`. */
const deletedPosts = (by: AsOf['by']): string => `(
  select f.space_id, f.student_id, f.post_id, v.occurred_at as posted_at, v.deleted_at
  from read.fact_history f cross join lateral (${factAtSql(by)}) v
  where ${CHANGED} and ${BOUNDS[by].began} and f.kind in (${kindList(POSTING_KINDS)}) and v.deleted_at is not null)`;

const sumsAsOf = (by: AsOf['by'], facts: string): string =>
  sumsSql({ facts: `(${facts})`, deletedPosts: deletedPosts(by) }, 'true');

const COLUMNS =
  'student_id, merit, impact, last_ordinal, end_ordinal, questions_asked, questions_answered, answers_accepted';

/** Calculates scores from all facts of the space. */
const fromFacts = (by: AsOf['by']): string => `
  ${sumsAsOf(by, `${simpleFacts(BOUNDS[by].began)} union all ${changedFacts(by, 'true')}`)},
  start as (select ${COLUMNS} from read.score_snapshot_rows where false)`;

/**
 * Calculates scores from a snapshot (`$6`, which includes events up to ordinal `$4` and time `$5`). New facts are added to the
 * snapshot's scores; students whose earlier facts changed are recalculated.
 */
const fromSnapshot = (by: AsOf['by']): string => `
  fresh as materialized (${simpleFacts(BOUNDS[by].isNew)}),
  kept as materialized (select ${COLUMNS} from read.score_snapshot_rows where snapshot_id = $6::bigint),
  replayed as materialized (
    select f.student_id from read.fact_history f where ${CHANGED} and ${BOUNDS[by].isTouched}
    union
    select fresh.student_id from fresh join kept on kept.student_id = fresh.student_id
    where fresh.ordinal <= kept.end_ordinal
  ),
  ${sumsAsOf(
    by,
    `select * from fresh where not exists (select from replayed r where r.student_id = fresh.student_id)
      union all
      ${simpleFacts(`${BOUNDS[by].began} and f.student_id in (select student_id from replayed)`)}
      union all
      ${changedFacts(by, 'f.student_id in (select student_id from replayed)')}`,
  )},
  start as (select * from kept where not exists (select from replayed r where r.student_id = kept.student_id))`;

/**
 * Common table expressions up to `board`, the score of every student in the space at that point.
 * `$1` is the weights table as JSON, `$2` the space, `$3` the ordinal or the moment. Snapshots add `$4` to `$6`.
 */
const boardSql = (by: AsOf['by'], isFromSnapshot: boolean): string => `
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

/** Scores of a space at some point, used to calculate later points. */
interface ScoreSnapshot {
  readonly snapshotId: string;
  /** Includes events up to this ordinal … */
  readonly boundOrdinal: string;
  /** … that occurred by this time. */
  readonly boundAt: string;
}

/** Live generation of the history tables and the ordinal it has reached. */
export interface HistoryHead {
  readonly generation: number;
  readonly ordinal: number;
}

export async function historyHead(db: Queryable): Promise<HistoryHead> {
  const { rows } = await db.query<{ generation: number; ordinal: string }>({
    text: `select generation, ordinal from read.projection_generations where name = 'history' and status = 'live'`,
  });
  const [row] = rows;
  return row ? { generation: row.generation, ordinal: Number(row.ordinal) } : { generation: 0, ordinal: 0 };
}

/** The ordinal that the live generation of a projection has reached; 0 if there is none. */
export async function ordinalReached(db: Queryable, projection: string): Promise<number> {
  const { rows } = await db.query<{ ordinal: string }>({
    name: 'ordinal-reached',
    text: `select ordinal from read.projection_generations where name = $1 and status = 'live'`,
    values: [projection],
  });
  return Number(rows[0]?.ordinal ?? 0);
}

/** The rules published and not withdrawn by that point. */
async function rulesAsOf(db: Queryable, asOf: AsOf): Promise<ScoringRules[]> {
  const { rows } = await db.query<{ rules: ScoringRules | null; withdraws: number | null }>({
    text: `select rules, withdraws from read.history_marks
           where space_id = $1 and (rules is not null or withdraws is not null)
             and ${asOf.by === 'ordinal' ? 'ordinal <= $2::bigint' : 'occurred_at <= $2::timestamptz'}
           order by (rules ->> 'version')::integer, ordinal`,
    values: [ALL, boundOf(asOf)],
  });
  const withdrawn = new Set(rows.map(({ withdraws }) => withdraws));
  const byVersion = new Map<number, ScoringRules>();
  for (const { rules } of rows)
    if (rules && !withdrawn.has(rules.version) && !byVersion.has(rules.version))
      byVersion.set(rules.version, rules);
  return [...byVersion.values()];
}

const LAST_OF_SPACE = `from read.fact_history where space_id = $1 and ordinal <= $3::bigint`;

/** The version in force at that point. By ordinal, it is the one at the time of the last fact or mark up to it. */
export async function versionAsOf(
  db: Queryable,
  { spaceId, asOf, rules }: { spaceId: string; asOf: AsOf; rules: readonly ScoringRules[] },
): Promise<number> {
  if (asOf.by === 'moment') return rulesAt(rules, asOf.at).version;
  const last = 'order by ordinal desc limit 1';
  const { rows } = await db.query<{ at: string | null }>({
    text: `select ${isoTime(`greatest(
             (select occurred_at ${LAST_OF_SPACE} and until_ordinal is null ${last}),
             (select occurred_at ${LAST_OF_SPACE} and until_ordinal is not null ${last}),
             (select occurred_at from read.history_marks
              where space_id in ($1, $2) and ordinal <= $3::bigint ${last}))`)} as at`,
    values: [spaceId, ALL, asOf.ordinal],
  });
  const at = rows[0]?.at;
  return at ? rulesAt(rules, at).version : DEFAULT_SCORING_RULES.version;
}

export const rulesKey = (versions: readonly ScoringRules[]): string =>
  versions.map(({ version }) => version).join(',');

/** The latest snapshot up to that point, taken with the same rules. */
async function nearestSnapshot(
  db: Queryable,
  spaceId: string,
  asOf: AsOf,
  rules: string,
): Promise<ScoreSnapshot | undefined> {
  const bound = asOf.by === 'ordinal' ? 'bound_ordinal' : 'bound_at';
  const type = asOf.by === 'ordinal' ? 'bigint' : 'timestamptz';
  const { rows } = await db.query<{ snapshot_id: string; bound_ordinal: string; bound_at: string }>({
    text: `select s.snapshot_id, s.bound_ordinal::text, s.bound_at::text
           from read.score_snapshots s
           join read.projection_generations g
             on g.name = 'history' and g.status = 'live' and g.generation = s.generation
           where s.space_id = $1 and s.taken_by = $2 and s.rules = $3 and s.${bound} <= $4::${type}
           order by s.${bound} desc limit 1`,
    values: [spaceId, asOf.by, rules, boundOf(asOf)],
  });
  const [row] = rows;
  return row && { snapshotId: row.snapshot_id, boundOrdinal: row.bound_ordinal, boundAt: row.bound_at };
}

/** Common table expressions up to `board` with their parameters. `$<next>` is the first unused one. */
interface Board {
  readonly tables: string;
  readonly values: readonly unknown[];
  readonly next: number;
  readonly rules: readonly ScoringRules[];
}

/** The score of every student in a space, from the nearest snapshot or, without one, from the facts. */
export async function boardAsOf(db: Queryable, spaceId: string, asOf: AsOf): Promise<Board> {
  const rules = await rulesAsOf(db, asOf);
  const snapshot = await nearestSnapshot(db, spaceId, asOf, rulesKey(rules));
  const values: unknown[] = [JSON.stringify(weightRows(rules)), spaceId, boundOf(asOf)];
  if (snapshot) values.push(snapshot.boundOrdinal, snapshot.boundAt, snapshot.snapshotId);
  return { tables: boardSql(asOf.by, snapshot !== undefined), values, next: values.length + 1, rules };
}
