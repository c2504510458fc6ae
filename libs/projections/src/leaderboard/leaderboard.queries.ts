import type { SpaceEntry } from '@nimo/domain';
import { LEADERBOARD_PAGE_SIZE, MAX_SPACES_SHOWN } from '@nimo/domain';
import { BUCKET_ORDINALS, BUCKET_WIDTH } from './leaderboard.tables.js';
import { opaque, type Page, pageFrom, type PageRow, pageWindow, type Queryable } from '../queryable.js';
import { isArchivedColumn } from '../archived-space.sql.js';
import { consentView, memberCountOf, type SpaceView } from '../spaces/spaces.queries.js';
import {
  authorColumns,
  type AuthorColumns,
  authorFrom,
  type AuthorView,
} from '../students/students.queries.js';

export interface LeaderboardScoreView {
  readonly _id: string;
  readonly scope: string;
  readonly space: SpaceView;
  readonly score: number;
  /** Merit. */
  readonly reputations: number;
  /** Impact. */
  readonly commitments: number;
  readonly questionsAsked: number;
  readonly questionsAnswered: number;
  readonly answersAccepted: number;
  readonly student: AuthorView;
  readonly rank: number;
}

interface ScoreColumns extends AuthorColumns {
  space_id: string;
  space_name: string;
  space_description: string;
  scope: string;
  space_banner: string | null;
  space_color: string;
  space_members: number | null;
  space_entry: SpaceEntry;
  space_consent_age: number | null;
  space_is_archived: boolean;
  is_member: boolean;
  score: number;
  merit: number;
  impact: number;
  questions_asked: number;
  questions_answered: number;
  answers_accepted: number;
  rank: number;
}

/** Same visibility as in the list of spaces. A score remains after the student leaves the space. */
const IS_VISIBLE = "(p.entry = 'OPEN' or m.student_id is not null)";
/** `r` is the leaderboard's row; `$1` is the viewer or null. */
const SCORE_VIEW = `
  r.space_id, p.name as space_name, p.description as space_description, p.scope, p.entry as space_entry, p.consent_age as space_consent_age, ${isArchivedColumn('p.space_id')} as space_is_archived, p.color as space_color,
  case when ${IS_VISIBLE} then p.banner_image_url end as space_banner, case when ${IS_VISIBLE} then ${memberCountOf('r.space_id')} end as space_members, m.student_id is not null as is_member,
  r.score::int as score, r.merit::int as merit, r.impact::int as impact, r.questions_asked, r.questions_answered,
  r.answers_accepted, ${authorColumns('a', 'r.student_id')}`;
const SCORE_JOINS = `
  left join read.students a on a.student_id = r.student_id
  join read.spaces p on p.space_id = r.space_id and p.entry <> 'IMPORTING'
  left join read.memberships m on m.space_id = r.space_id and m.student_id = $1 and m.left_at is null`;

const scoreFrom = (row: ScoreColumns): LeaderboardScoreView => ({
  _id: `${row.space_id}:${row.author_id}`,
  scope: row.scope,
  space: {
    _id: row.space_id,
    name: row.space_name,
    description: row.space_description,
    scope: row.scope,
    bannerImageUrl: row.space_banner,
    color: row.space_color,
    joined: row.is_member,
    memberCount: row.space_members,
    entry: row.space_entry,
    isArchived: row.space_is_archived,
    // Only current and former members have scores.
    request: null,
    requestReason: null,
    isInvited: false,
    consent: consentView(row.space_consent_age),
  },
  score: row.score,
  reputations: row.merit,
  commitments: row.impact,
  questionsAsked: row.questions_asked,
  questionsAnswered: row.questions_answered,
  answersAccepted: row.answers_accepted,
  student: authorFrom(row),
  rank: row.rank,
});

const COARSE = `r.score - r.score % ${BUCKET_WIDTH}`;
const BLOCK = `r.last_ordinal / ${BUCKET_ORDINALS}`;
/**
 * SQL for the rank of `r`, an existing or hypothetical leaderboard row: counts students in higher buckets, then those with the same
 * score who rank first. Coarse buckets keep the sum short in spaces of any size.
 */
export const RANK = `
  1 + (select coalesce(sum(b.students), 0) from read.score_buckets b
       where b.space_id = r.space_id and b.width = ${BUCKET_WIDTH} and b.low > ${COARSE})
    + (select coalesce(sum(b.students), 0) from read.score_buckets b
       where b.space_id = r.space_id and b.width = 1 and b.low > r.score and b.low < ${COARSE} + ${BUCKET_WIDTH})
    + (select coalesce(sum(b.students), 0) from read.score_buckets b
       where b.space_id = r.space_id and b.width = 1 and b.low = r.score and b.block < ${BLOCK})
    + (select count(*) from read.leaderboard t
       where t.space_id = r.space_id and t.score = r.score and t.last_ordinal >= ${BLOCK} * ${BUCKET_ORDINALS}
         and (t.last_ordinal, t.student_id collate "C") < (r.last_ordinal, r.student_id))`;

export interface LeaderboardPageOptions {
  readonly spaceId: string;
  readonly viewerId: string | null;
  readonly page?: number;
  readonly limit?: number;
}

const ORDER = 'score desc, last_ordinal, student_id collate "C"';

/**
 * The rows of a later page. The buckets locate the block in which the page starts, so that at most that block is scanned,
 * whatever the offset (`$3`).
 */
const seekRows = (limit: number): string => `
  with page_start as (select ${opaque('$3', 'bigint')} as skipped),
  coarse as (
    select c.low, c.before from (
      select low, sum(students) over (order by low desc) - students as before from read.score_buckets
      where space_id = $2 and width = ${BUCKET_WIDTH}
    ) c, page_start where c.before <= page_start.skipped order by c.before desc limit 1
  ), block as (
    select f.low as score, f.block * ${BUCKET_ORDINALS} as since, (select skipped from page_start) - f.before as rest from (
      select b.low, b.block, c.before + sum(b.students) over (order by b.low desc, b.block) - b.students as before
      from coarse c join read.score_buckets b
        on b.space_id = $2 and b.width = 1 and b.low >= c.low and b.low < c.low + ${BUCKET_WIDTH}
    ) f, page_start where f.before <= page_start.skipped order by f.before desc limit 1
  )
  select student_id, score, last_ordinal from (
    (select student_id, score, last_ordinal from read.leaderboard
     where space_id = $2 and score = (select score from block) and last_ordinal >= (select since from block)
     order by last_ordinal, student_id collate "C" limit (select rest + ${limit} from block))
    union all
    (select student_id, score, last_ordinal from read.leaderboard
     where space_id = $2 and score < (select score from block) order by ${ORDER} limit ${limit})
  ) near order by ${ORDER} limit ${limit} offset (select rest from block)`;

const firstRows = (limit: number): string => `
  select student_id, score, last_ordinal from read.leaderboard where space_id = $2 order by ${ORDER} limit ${limit}`;

/** A page of the leaderboard, best score first. Ties go to the student who reached the score first. */
export async function pageOfLeaderboard(
  db: Queryable,
  { spaceId, viewerId, page = 1, limit = LEADERBOARD_PAGE_SIZE }: LeaderboardPageOptions,
): Promise<Page<LeaderboardScoreView>> {
  const { later, name } = pageWindow('leaderboard', page, limit, '$3');
  const { rows } = await db.query<PageRow<ScoreColumns>>({
    name,
    text: `
      select total.n as total, page.* from (
        select coalesce(sum(students), 0)::int as n from read.score_buckets
        where space_id = $2 and width = ${BUCKET_WIDTH}
      ) total
      left join lateral (
        select ${SCORE_VIEW}, place.rank from (
          select l.student_id, (${page === 1 ? '' : '$3::bigint + '}row_number() over (order by ${ORDER}))::int as rank
          from (${page === 1 ? firstRows(limit) : seekRows(limit)}) l
        ) place
        join read.leaderboard r on r.student_id = place.student_id and r.space_id = $2 ${SCORE_JOINS}
      ) page on true
      order by page.rank`,
    values: [viewerId, spaceId, ...later],
  });
  return pageFrom(rows, { page, limit, idColumn: 'space_id' }, scoreFrom);
}

/** A student's score and rank in a space; null before their first fact there. */
export async function findLeaderboardScore(
  db: Queryable,
  { spaceId, studentId, viewerId }: { spaceId: string; studentId: string; viewerId: string | null },
): Promise<LeaderboardScoreView | null> {
  const { rows } = await db.query<ScoreColumns>({
    name: 'leaderboard-score',
    text: `select ${SCORE_VIEW}, (${RANK})::int as rank from read.leaderboard r ${SCORE_JOINS}
           where r.space_id = $2 and r.student_id = $3`,
    values: [viewerId, spaceId, studentId],
  });
  return rows[0] ? scoreFrom(rows[0]) : null;
}

/** A student's merit in a space; null before their first fact there. */
export async function findMerit(
  db: Queryable,
  { spaceId, studentId }: { spaceId: string; studentId: string },
): Promise<number | null> {
  const { rows } = await db.query<{ merit: number }>({
    name: 'leaderboard-merit',
    text: 'select merit::float8 as merit from read.leaderboard where space_id = $1 and student_id = $2',
    values: [spaceId, studentId],
  });
  return rows[0]?.merit ?? null;
}

/** A student's scores in all spaces, best first. */
export async function listOwnLeaderboardScores(
  db: Queryable,
  studentId: string,
): Promise<LeaderboardScoreView[]> {
  const { rows } = await db.query<ScoreColumns>({
    name: 'leaderboard-own-scores',
    text: `select ${SCORE_VIEW}, (${RANK})::int as rank from read.leaderboard r ${SCORE_JOINS}
           where r.student_id = $1 order by r.score desc, r.space_id limit ${MAX_SPACES_SHOWN}`,
    values: [studentId],
  });
  return rows.map(scoreFrom);
}
