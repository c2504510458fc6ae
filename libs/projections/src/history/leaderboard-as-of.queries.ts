import { LEADERBOARD_PAGE_SIZE } from '@nimo/domain';
import { RANK } from '../leaderboard/leaderboard.queries.js';
import { type Page, pageFrom, type PageRow, type Queryable } from '../queryable.js';
import {
  authorColumns,
  type AuthorColumns,
  authorFrom,
  type AuthorView,
} from '../students/students.queries.js';
import { type AsOf, boardAsOf, versionAsOf } from './scores-as-of.js';

/** Score and rank, at the requested point or now. */
export interface Standing {
  readonly rank: number;
  readonly score: number;
  /** Merit. */
  readonly reputations: number;
  /** Impact. */
  readonly commitments: number;
}

export interface ScoreAsOfView extends Standing {
  readonly _id: string;
  readonly student: AuthorView;
  readonly questionsAsked: number;
  readonly questionsAnswered: number;
  readonly answersAccepted: number;
  /** Null for a student without scored facts today. */
  readonly now: Standing | null;
}

interface ScoreColumns extends AuthorColumns {
  student_id: string;
  rank: number;
  score: number;
  merit: number;
  impact: number;
  questions_asked: number;
  questions_answered: number;
  answers_accepted: number;
}

const SCORE = `t.student_id, t.rank::int as rank, t.score::int as score, t.merit::int as merit, t.impact::int as impact,
  t.questions_asked, t.questions_answered, t.answers_accepted, ${authorColumns('a', 't.student_id')}`;
const ORDER = 'score desc, last_ordinal, student_id collate "C"';

const scoreFrom = (row: ScoreColumns, now: ReadonlyMap<string, Standing>): ScoreAsOfView => ({
  _id: row.student_id,
  student: authorFrom(row),
  rank: row.rank,
  score: row.score,
  reputations: row.merit,
  commitments: row.impact,
  questionsAsked: row.questions_asked,
  questionsAnswered: row.questions_answered,
  answersAccepted: row.answers_accepted,
  now: now.get(row.student_id) ?? null,
});

export interface LeaderboardAsOfPageView extends Page<ScoreAsOfView> {
  /** Version in force at that point. */
  readonly rulesVersion: number;
}

export interface LeaderboardAsOfOptions {
  readonly spaceId: string;
  readonly asOf: AsOf;
  readonly page?: number;
  readonly limit?: number;
}

/** A page of the leaderboard at an earlier point, best score first, with each student's current score and rank. */
export async function pageOfLeaderboardAsOf(
  db: Queryable,
  { spaceId, asOf, page = 1, limit = LEADERBOARD_PAGE_SIZE }: LeaderboardAsOfOptions,
): Promise<LeaderboardAsOfPageView> {
  const { tables, values, next, rules } = await boardAsOf(db, spaceId, asOf);
  const { rows } = await db.query<PageRow<ScoreColumns>>({
    text: `
      with ${tables}, place as (
        select *, row_number() over (order by ${ORDER}) + $${next}::bigint as rank
        from (select * from board order by ${ORDER} limit ${limit} offset $${next}::bigint) best
      )
      select total.n as total, page.* from (select count(*)::int as n from board) total
      left join (select ${SCORE} from place t left join read.students a on a.student_id = t.student_id) page on true
      order by page.rank`,
    values: [...values, (page - 1) * limit],
  });
  const now = await standingsNow(
    db,
    spaceId,
    rows.flatMap((row) => row.student_id ?? []),
  );
  return {
    ...pageFrom<ScoreColumns, ScoreAsOfView>(rows, { page, limit, idColumn: 'student_id' }, (row) =>
      scoreFrom(row, now),
    ),
    rulesVersion: await versionAsOf(db, { spaceId, asOf, rules }),
  };
}

/** A student's score and rank at an earlier point; null before their first fact. */
export async function findScoreAsOf(
  db: Queryable,
  spaceId: string,
  studentId: string,
  asOf: AsOf,
): Promise<ScoreAsOfView | null> {
  const { tables, values, next } = await boardAsOf(db, spaceId, asOf);
  const { rows } = await db.query<ScoreColumns>({
    text: `
      with ${tables}, own as (select * from board where student_id = $${next}), place as (
        select own.*, 1 + (select count(*) from board b where b.score > own.score or (b.score = own.score
          and (b.last_ordinal, b.student_id collate "C") < (own.last_ordinal, own.student_id))) as rank
        from own
      )
      select ${SCORE} from place t left join read.students a on a.student_id = t.student_id`,
    values: [...values, studentId],
  });
  const [row] = rows;
  return row ? scoreFrom(row, await standingsNow(db, spaceId, [studentId])) : null;
}

async function standingsNow(
  db: Queryable,
  spaceId: string,
  studentIds: readonly string[],
): Promise<ReadonlyMap<string, Standing>> {
  const { rows } = await db.query<{
    student_id: string;
    rank: number;
    score: number;
    merit: number;
    impact: number;
  }>({
    name: 'standings-now',
    text: `select r.student_id, (${RANK})::int as rank, r.score::int as score, r.merit::int as merit, r.impact::int as impact
           from read.leaderboard r where r.space_id = $1 and r.student_id = any($2::text[])`,
    values: [spaceId, studentIds],
  });
  return new Map(
    rows.map((row) => [
      row.student_id,
      { rank: row.rank, score: row.score, reputations: row.merit, commitments: row.impact },
    ]),
  );
}
