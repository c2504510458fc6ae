import { type LivePositions, livePositionsSql } from '@nimo/projection-engine';
import type { ReportedPostType } from '@nimo/domain';
import { isoTime, isPublic, type Page, pageFrom, type PageRow, type Queryable } from '../queryable.js';
import { notOfRemovedSpace } from '../removed-space.sql.js';
import { ALL } from '../totals.js';
import type { AuthorColumns } from '../students/students.queries.js';
import {
  type AnswerColumns,
  answerFrom,
  ANSWERS_ORDER,
  answersSql,
  type AnswerView,
} from './answers.queries.js';
import { groupByParent, type CommentColumns, commentsSql, type CommentView } from './comments.queries.js';
import {
  ALL_PARTS,
  isMemberColumn,
  type QuestionColumns,
  questionFrom,
  questionJoins,
  questionView,
  type QuestionView,
} from './question.view.js';
import { PUBLIC_PAGE_PROJECTIONS, type PublicQuestionRows } from '../public-question-rows.js';

/** A space open to search engines, with its number of questions. */
export interface IndexedSpace {
  readonly spaceId: string;
  readonly questions: number;
}

/** Spaces open to search engines that have questions, largest first. */
export async function listIndexedSpaces(db: Queryable, limit: number): Promise<IndexedSpace[]> {
  const { rows } = await db.query<IndexedSpace>({
    name: 'indexed-spaces',
    text: `select s.space_id as "spaceId", (t.solved + t.unsolved)::int as questions
           from read.spaces s
           join read.question_totals t on t.space_id = s.space_id and t.subject_id = '${ALL}' and t.topic_id = '${ALL}'
           where not s.is_hidden_from_search_engines and s.has_public_pages and t.solved + t.unsolved > 0
           order by questions desc, s.space_id limit $1`,
    values: [limit],
  });
  return rows;
}

export interface IndexedQuestion {
  readonly _id: string;
  readonly changedAt: string;
}

/** Questions of a space, newest first; empty if the space is hidden from search engines. */
export async function listIndexedQuestions(
  db: Queryable,
  { spaceId, page, limit }: { readonly spaceId: string; readonly page: number; readonly limit: number },
): Promise<IndexedQuestion[]> {
  const { rows } = await db.query<IndexedQuestion>({
    name: 'indexed-questions',
    text: `select q.question_id as "_id", ${isoTime('coalesce(q.edited_at, q.created_at)')} as "changedAt"
           from read.spaces s join read.questions q on q.space_id = s.space_id and not q.is_removed
           where s.space_id = $1 and not s.is_hidden_from_search_engines and s.has_public_pages
           order by q.created_at desc, q.question_id desc offset $2 limit $3`,
    values: [spaceId, (page - 1) * limit, limit],
  });
  return rows;
}

export interface PublicQuestionOptions {
  readonly questionId: string;
  /** Maximum number of answers. */
  readonly limit: number;
  /** Maximum total size of all bodies, in bytes. */
  readonly bodyBytes: number;
}

export interface PublicAnswerView {
  readonly answer: AnswerView;
  readonly comments: readonly CommentView[];
}

export interface PublicQuestionView {
  readonly question: QuestionView;
  readonly comments: readonly CommentView[];
  readonly answers: readonly PublicAnswerView[];
  /** Whether the space is hidden from search engines. */
  readonly isHidden: boolean;
}

/** The question, with the rows and log positions needed to revalidate a cached page. */
export interface PublicQuestionResult {
  readonly view: PublicQuestionView;
  readonly rows: PublicQuestionRows;
  readonly places: LivePositions;
}

interface PublicQuestionRow {
  readonly question: QuestionColumns;
  readonly answers: readonly AnswerColumns[];
  readonly comments: readonly CommentColumns[];
  readonly is_hidden: boolean;
  readonly places: LivePositions | null;
}

/**
 * Reads a public question with comments and as many answers as fit. Bodies that do not fit are never read, because PostgreSQL knows the
 * stored size.
 *
 * A single statement that returns JSON, which saves three round trips.
 */
export async function readPublicQuestion(
  db: Queryable,
  { questionId, limit, bodyBytes }: PublicQuestionOptions,
): Promise<PublicQuestionResult | null> {
  const { rows } = await db.query<PublicQuestionRow>({
    name: `public-question-${limit}`,
    text: `
      with question as materialized (
        select ${questionView(ALL_PARTS, isMemberColumn('q.space_id'))}
        from read.questions q ${questionJoins(ALL_PARTS)} 
        where q.question_id = $2 and not q.is_removed and ${isPublic('q.space_id')}
      ), answers as materialized (
        select * from (
          select page.*, sum(octet_length(page.body)) over (order by ${ANSWERS_ORDER}) as body_bytes
          from (${answersSql('= $2', `limit ${limit}`)}) page
        ) page
        where page.body_bytes <= $3 - (select octet_length(body) from question)
      ), comments as materialized (
        ${commentsSql('(select $2::text union all select answer_id from answers) as parent (id)')}
      )
      select row_to_json(question) as question,
        (select coalesce(json_agg(page order by ${ANSWERS_ORDER}), '[]') from answers page) as answers,
        (select coalesce(json_agg(page order by page.place, page.parent_id), '[]') from comments page) as comments,
        coalesce((select is_hidden_from_search_engines from read.spaces s where s.space_id = question.space_id), false) as is_hidden,
        ${livePositionsSql(PUBLIC_PAGE_PROJECTIONS)} as places
      from question`,
    values: [null, questionId, bodyBytes],
  });
  const [row] = rows;
  return row
    ? {
        view: publicQuestionFrom(row),
        rows: rowsOf(row, [row.question, ...row.answers, ...row.comments]),
        places: row.places ?? {},
      }
    : null;
}

const rowsOf = (
  { question, comments }: PublicQuestionRow,
  posts: readonly AuthorColumns[],
): PublicQuestionRows => ({
  questionId: question.question_id,
  studentIds: new Set([
    ...posts.map(({ author_id }) => author_id),
    ...comments.flatMap(({ names }) => Object.keys(names ?? {})),
  ]),
  placeIds: new Set([question.space_id, question.subject_id, question.topic_id]),
});

function publicQuestionFrom({
  question,
  answers,
  comments,
  is_hidden,
}: PublicQuestionRow): PublicQuestionView {
  const [own = [], ...ofAnswers] = groupByParent(comments, [
    question.question_id,
    ...answers.map(({ answer_id }) => answer_id),
  ]);
  return {
    question: questionFrom(question, null),
    comments: own,
    answers: answers.map((row, index) => ({
      answer: answerFrom(row, null),
      comments: ofAnswers[index] ?? [],
    })),
    isHidden: is_hidden,
  };
}

export interface PostReportView {
  readonly _id: string;
  readonly student: string;
  readonly post: string;
  readonly postType: ReportedPostType;
  readonly reason: string;
}

export interface OwnPostReportsOptions {
  readonly studentId: string;
  readonly postType: ReportedPostType;
  readonly page?: number;
  readonly limit?: number;
}

/** Reports by the student, newest first. Counted exactly, because there are few per student. */
export async function pageOfOwnPostReports(
  db: Queryable,
  { studentId, postType, page = 1, limit = 100 }: OwnPostReportsOptions,
): Promise<Page<PostReportView>> {
  const { rows } = await db.query<PageRow<PostReportView>>({
    name: 'own-post-reports',
    text: `
      select total.n as total, page.* from (
        select count(*)::int as n from read.post_reports r
        where reporter_id = $1 and post_type = $2 and ${notOfRemovedSpace('r.space_id')}
      ) total
      left join lateral (
        select post_id || ':' || reporter_id as "_id", reporter_id as student, post_id as post,
          post_type as "postType", reason
        from read.post_reports r where reporter_id = $1 and post_type = $2 and ${notOfRemovedSpace('r.space_id')}
        order by reported_at desc, post_id limit $3 offset $4
      ) page on true`,
    values: [studentId, postType, limit, (page - 1) * limit],
  });
  return pageFrom(
    rows,
    { page, limit, idColumn: '_id' },
    ({ _id, student, post, postType: type, reason }) => ({
      _id,
      student,
      post,
      postType: type,
      reason,
    }),
  );
}
