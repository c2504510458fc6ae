import { LEADERBOARD_PAGE_SIZE, MERIT_FLOOR, type ScoringRules } from '@nimo/domain';
import { escapeLikePattern, type Page, pageFrom, type PageRow, type Queryable } from '../queryable.js';
import { notOfRemovedSpace } from '../removed-space.sql.js';
import {
  authorColumns,
  type AuthorColumns,
  authorFrom,
  type AuthorView,
} from '../students/students.queries.js';
import { refusedDownvotesSql, rescoreAllSql, weightRows } from './rescore.sql.js';

/** Ranks with a medal. */
const MEDALS = 3;
/** Lower bounds of the distribution's buckets; the last one is unbounded. */
const BUCKETS = [1, 2, 11, 21, 51, 101, 201, 501, 1_001, 2_001, 5_001, 10_001] as const;

/** A threshold that a student can cross. */
export type ScoreLine = 'MEDALS' | 'FIRST_PAGE' | 'ABOVE_FLOOR';
export const SCORE_LINES: readonly ScoreLine[] = ['MEDALS', 'FIRST_PAGE', 'ABOVE_FLOOR'];

const isAbove = (line: ScoreLine, when: 'before' | 'after'): string =>
  ({
    MEDALS: `coalesce(rank_${when} <= ${MEDALS}, false)`,
    FIRST_PAGE: `coalesce(rank_${when} <= ${LEADERBOARD_PAGE_SIZE}, false)`,
    ABOVE_FLOOR: `coalesce(merit_${when} > ${MERIT_FLOOR}, false)`,
  })[line];
const crosses = (line: ScoreLine): string => `${isAbove(line, 'before')} <> ${isAbove(line, 'after')}`;

const RANK = `(row_number() over (partition by space_id order by score desc, last_ordinal, student_id collate "C"))::integer`;
const SIDE = ['merit', 'impact', 'score', 'rank'] as const;
const side = (alias: string, when: string): string =>
  SIDE.map((column) => `${alias}.${column} as ${column}_${when}`).join(', ');

/** Columns of `compareRulesSql`, in order. */
export const TRIAL_COLUMNS: readonly string[] = [
  'space_id',
  'student_id',
  ...SIDE.map((column) => `${column}_before`),
  ...SIDE.map((column) => `${column}_after`),
  'refused_downvotes',
];

/**
 * SQL for the current score and rank of every student and those under other rules, from one snapshot and with the statement that a
 * publication runs. Writes nothing. `$1` is `weightsOf` the versions.
 */
export const compareRulesSql = (): string => `
  with live as (
    select space_id, student_id, merit, impact, score, ${RANK} as rank from read.leaderboard
  ), rescored as (
    select space_id, student_id, merit, impact, score, ${RANK} as rank
    from (${rescoreAllSql('read.score_facts')}) scored
  )
  select space_id, student_id, ${side('b', 'before')}, ${side('a', 'after')}, coalesce(r.refused, 0) as refused_downvotes
  from live b full join rescored a using (space_id, student_id)
  left join (${refusedDownvotesSql('read.score_facts')}) r using (space_id, student_id)`;

export const weightsOf = (versions: readonly ScoringRules[]): string => JSON.stringify(weightRows(versions));

/** A trial, optionally limited to a space. */
export interface TrialScope {
  readonly trialId: string;
  readonly spaceId?: string | undefined;
}

export interface TrialSummaryView {
  readonly students: number;
  /** Students whose score changes. */
  readonly movers: number;
  readonly gainers: number;
  readonly losers: number;
  /** Students whose rank changes, including those overtaken by others. */
  readonly reranked: number;
  /** Standing downvotes that the rules would have refused for lack of merit. */
  readonly refusedDownvotes: number;
  readonly pointsBefore: number;
  readonly pointsAfter: number;
  readonly lines: readonly { readonly line: ScoreLine; readonly entered: number; readonly left: number }[];
  readonly distribution: readonly ScoreClassView[];
}

export interface ScoreClassView {
  readonly from: number;
  /** Null for the last, unbounded bucket. */
  readonly to: number | null;
  readonly before: number;
  readonly after: number;
}

interface SummaryColumns {
  students: number;
  gainers: number;
  losers: number;
  reranked: number;
  refused_downvotes: number;
  points_before: number;
  points_after: number;
  lines: TrialSummaryView['lines'];
  classes: { readonly class: number; readonly before: number; readonly after: number }[] | null;
}

const LINES = SCORE_LINES.map(
  (line) => `jsonb_build_object('line', '${line}',
    'entered', count(*) filter (where ${crosses(line)} and ${isAbove(line, 'after')}),
    'left', count(*) filter (where ${crosses(line)} and ${isAbove(line, 'before')}))`,
).join(', ');
const classOf = (when: string): string =>
  `width_bucket(score_${when}, array[${BUCKETS.join(', ')}]::bigint[])`;

const SUMMARY = `
  with rows as materialized (
    select * from state.scoring_trial_rows where trial_id = $1 and ($2::text is null or space_id = $2)
      and ${notOfRemovedSpace('space_id')}
  )
  select count(*)::int as students,
    (count(*) filter (where coalesce(score_after, 0) > coalesce(score_before, 0)))::int as gainers,
    (count(*) filter (where coalesce(score_after, 0) < coalesce(score_before, 0)))::int as losers,
    (count(*) filter (where rank_after is distinct from rank_before))::int as reranked,
    coalesce(sum(refused_downvotes), 0)::int as refused_downvotes,
    coalesce(sum(score_before), 0)::float8 as points_before, coalesce(sum(score_after), 0)::float8 as points_after,
    jsonb_build_array(${LINES}) as lines,
    (select jsonb_agg(jsonb_build_object('class', class, 'before', before, 'after', after)) from (
      select class, sum(before) as before, sum(after) as after from (
        select ${classOf('before')} as class, count(*) as before, 0 as after from rows where score_before is not null group by 1
        union all
        select ${classOf('after')}, 0, count(*) from rows where score_after is not null group by 1
      ) counted group by class) c
    ) as classes
  from rows`;

export async function findTrialSummary(
  db: Queryable,
  { trialId, spaceId }: TrialScope,
): Promise<TrialSummaryView> {
  const { rows } = await db.query<SummaryColumns>({ text: SUMMARY, values: [trialId, spaceId ?? null] });
  const [row] = rows;
  if (!row) throw new TypeError('Aggregate returned no row');
  const { students, gainers, losers, reranked, lines } = row;
  const counted = new Map((row.classes ?? []).map((found) => [found.class, found]));
  return {
    students,
    movers: gainers + losers,
    gainers,
    losers,
    reranked,
    refusedDownvotes: row.refused_downvotes,
    pointsBefore: row.points_before,
    pointsAfter: row.points_after,
    lines,
    distribution: BUCKETS.map((from, index) => {
      const { before = 0, after = 0 } = counted.get(index + 1) ?? {};
      const next = BUCKETS[index + 1];
      return { from, to: next === undefined ? null : next - 1, before, after };
    }),
  };
}

export interface StandingView {
  /** Merit. */
  readonly reputations: number;
  /** Impact. */
  readonly commitments: number;
  readonly score: number;
  readonly rank: number;
}

/** A student's score in a space under both sets of rules; null without scored facts under one of them. */
export interface ScoreMoveView {
  readonly _id: string;
  readonly spaceId: string;
  readonly spaceName: string;
  readonly student: AuthorView;
  readonly before: StandingView | null;
  readonly after: StandingView | null;
  readonly change: number;
}

interface MoveColumns extends AuthorColumns {
  space_id: string;
  space_name: string;
  merit_before: number | null;
  impact_before: number | null;
  score_before: number | null;
  rank_before: number | null;
  merit_after: number | null;
  impact_after: number | null;
  score_after: number | null;
  rank_after: number | null;
}

export const MOVE_SORTS = ['GAIN', 'LOSS', 'RANK'] as const;
export type MoveSort = (typeof MOVE_SORTS)[number];

const CHANGE = 'coalesce(r.score_after, 0) - coalesce(r.score_before, 0)';
const PLACE = `coalesce(r.rank_after, r.rank_before), r.space_id, r.student_id collate "C"`;
const ORDERS: Readonly<Record<MoveSort, string>> = {
  GAIN: `${CHANGE} desc, ${PLACE}`,
  LOSS: `${CHANGE}, ${PLACE}`,
  RANK: PLACE,
};

export interface MovesOptions extends TrialScope {
  readonly sort: MoveSort;
  /** Limits the page to students whose score changes or who cross the threshold. */
  readonly only?: 'MOVERS' | ScoreLine | undefined;
  /** Searches names and usernames. */
  readonly search?: string | undefined;
  readonly page: number;
  readonly limit: number;
}

/** Casts bigints to int, since a driver may return bigints as text. */
const AS_NUMBERS = ['before', 'after']
  .flatMap((when) => SIDE.map((column) => `r.${column}_${when}::int as ${column}_${when}`))
  .join(', ');

const conditionOf = (only: MovesOptions['only']): string => {
  if (only === undefined) return 'r.rank_after is not null';
  return only === 'MOVERS' ? `${CHANGE} <> 0` : crosses(only);
};

/** A page of a trial's students. */
export async function pageOfScoreMoves(db: Queryable, options: MovesOptions): Promise<Page<ScoreMoveView>> {
  const { trialId, spaceId, sort, only, search, page, limit } = options;
  const pattern =
    search === undefined || search.trim() === '' ? null : `%${escapeLikePattern(search.trim())}%`;
  const { rows } = await db.query<PageRow<MoveColumns>>({
    text: `
      with found as materialized (
        select r.space_id, r.student_id, ${AS_NUMBERS} from state.scoring_trial_rows r
        where r.trial_id = $1 and ($2::text is null or r.space_id = $2) and ${notOfRemovedSpace('r.space_id')} and ${conditionOf(only)}
          and ($3::text is null or r.student_id in (
            select student_id from read.students
            where user_name ilike $3 or concat_ws(' ', first_name, last_name) ilike $3))
      )
      select total.n as total, paged.* from (select count(*)::int as n from found) total
      left join lateral (
        select r.*, p.name as space_name, ${authorColumns('a', 'r.student_id')},
          row_number() over (order by ${ORDERS[sort]}) as place
        from (select * from found r order by ${ORDERS[sort]} limit $4 offset $5) r
        left join read.students a on a.student_id = r.student_id
        left join read.spaces p on p.space_id = r.space_id
      ) paged on true
      order by paged.place`,
    values: [trialId, spaceId ?? null, pattern, limit, (page - 1) * limit],
  });
  return pageFrom(rows, { page, limit, idColumn: 'space_id' }, moveFrom);
}

const standingFrom = (
  merit: number | null,
  impact: number | null,
  score: number | null,
  rank: number | null,
): StandingView | null =>
  merit === null || impact === null || score === null || rank === null
    ? null
    : { reputations: merit, commitments: impact, score, rank };

function moveFrom(row: MoveColumns): ScoreMoveView {
  const before = standingFrom(row.merit_before, row.impact_before, row.score_before, row.rank_before);
  const after = standingFrom(row.merit_after, row.impact_after, row.score_after, row.rank_after);
  return {
    _id: `${row.space_id}:${row.author_id}`,
    spaceId: row.space_id,
    spaceName: row.space_name,
    student: authorFrom(row),
    before,
    after,
    change: (after?.score ?? 0) - (before?.score ?? 0),
  };
}
