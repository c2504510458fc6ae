import { type Page, pagesOf, type Queryable } from '../queryable.js';
import {
  QUESTION_JOINS,
  QUESTION_VIEW,
  questionColumns,
  type QuestionColumns,
  questionFrom,
  type QuestionView,
} from './question.view.js';
import { ALL } from './questions.projection.js';

export type QuestionSort = 'NEWEST' | 'MOST_ANSWERED';

export interface QuestionListOptions {
  readonly spaceId: string;
  readonly viewerId: string;
  readonly subjectId?: string | undefined;
  readonly topicId?: string | undefined;
  /** Only the viewer's own. */
  readonly isMine?: boolean | undefined;
  /** Only those that the viewer saved. */
  readonly isSaved?: boolean | undefined;
  /** Only solved or only unsolved ones; both unless given. */
  readonly isSolved?: boolean | undefined;
  readonly sort?: QuestionSort;
  readonly page?: number;
  readonly limit?: number;
  /** False leaves `body` empty: `excerpt` says what a card shows. */
  readonly withBody?: boolean;
}

const ORDERS: Readonly<Record<QuestionSort, string>> = {
  NEWEST: 'q.created_at desc, q.question_id desc',
  MOST_ANSWERED: 'q.answer_count desc, q.created_at desc, q.question_id desc',
};

/** `$1` viewer, `$2` space, `$3` subject, `$4` topic; every statement takes all four, so that filters only add conditions. */
function conditionsOf(options: QuestionListOptions): string {
  const conditions = ['q.space_id = $2', 'not q.is_removed'];
  if (options.subjectId !== undefined) conditions.push('q.subject_id = $3');
  if (options.topicId !== undefined) conditions.push('q.topic_id = $4');
  if (options.isMine) conditions.push('q.author_id = $1');
  if (options.isSolved !== undefined)
    conditions.push(`q.accepted_answer_id is ${options.isSolved ? 'not ' : ''}null`);
  return conditions.join(' and ');
}

/** Bookmarks first: a student has few of them, a space has many questions. */
const sourceOf = (options: QuestionListOptions): string =>
  options.isSaved
    ? 'read.bookmarks s join read.questions q on q.question_id = s.question_id and s.student_id = $1 and s.space_id = $2'
    : 'read.questions q';

/** A maintained counter; only what is the viewer's own, and thereby short, is counted. */
function totalOf(options: QuestionListOptions): string {
  if (options.isSaved || options.isMine) {
    return `(select count(*)::int from ${sourceOf(options)} where ${conditionsOf(options)})`;
  }
  const counted =
    options.isSolved === undefined ? 'c.solved + c.unsolved' : options.isSolved ? 'c.solved' : 'c.unsolved';
  return `(select (${counted})::int from read.question_totals c
    where c.space_id = $2 and c.subject_id = $3 and c.topic_id = $4)`;
}

/**
 * One statement for the page and its total. The limit and the first page's offset are literals: with parameters for both,
 * PostgreSQL assumes a tenth of the table and joins all of it.
 */
function listStatement(options: QuestionListOptions, limit: number, page: number): string {
  const withBody = options.withBody ?? true;
  return `
    select total.n as total, page.*
    from (select coalesce(${totalOf(options)}, 0) as n) total
    left join lateral (
      select ${QUESTION_VIEW}, q.created_at
      from (
        select ${questionColumns(withBody)} from ${sourceOf(options)}
        where ${conditionsOf(options)}
        order by ${ORDERS[options.sort ?? 'NEWEST']} limit ${limit} offset ${page === 1 ? '0' : '$5::bigint'}
      ) q ${QUESTION_JOINS}
      where $2::text is not null and $3::text is not null and $4::text is not null and ${page === 1 ? '$5::bigint = 0' : 'true'}
    ) page on true
    order by ${ORDERS[options.sort ?? 'NEWEST'].replaceAll('q.', 'page.')}`;
}

/** Named by what shapes the text, so that each is planned once a connection. */
const nameOf = (options: QuestionListOptions, limit: number, page: number): string =>
  [
    'questions',
    options.subjectId === undefined ? '' : 'subject',
    options.topicId === undefined ? '' : 'topic',
    options.isMine ? 'mine' : '',
    options.isSaved ? 'saved' : '',
    options.isSolved === undefined ? '' : options.isSolved ? 'solved' : 'unsolved',
    options.sort ?? 'NEWEST',
    (options.withBody ?? true) ? 'full' : 'short',
    limit,
    page === 1 ? 'first' : 'later',
  ].join('-');

/** The questions of a space that pass all filters given. */
export async function pageOfQuestions(
  db: Queryable,
  options: QuestionListOptions,
): Promise<Page<QuestionView>> {
  const { viewerId, spaceId, subjectId, topicId, page = 1, limit = 20 } = options;
  const { rows } = await db.query<QuestionColumns & { total: number }>({
    name: nameOf(options, limit, page),
    text: listStatement(options, limit, page),
    values: [viewerId, spaceId, subjectId ?? ALL, topicId ?? ALL, (page - 1) * limit],
  });
  return {
    docs: rows.filter((row) => row.question_id !== null).map((row) => questionFrom(row, viewerId)),
    page,
    totalPages: pagesOf(rows[0]?.total ?? 0, limit),
  };
}

export interface UnsolvedQuestionsOptions {
  readonly spaceId: string;
  readonly viewerId: string;
  readonly subjectIds?: readonly string[] | undefined;
  readonly page?: number;
  readonly limit?: number;
  readonly withBody?: boolean;
}

/** The newest unsolved questions of a space, or of some of its subjects. */
export async function pageOfUnsolvedQuestions(
  db: Queryable,
  { subjectIds, limit = 10, ...options }: UnsolvedQuestionsOptions,
): Promise<Page<QuestionView>> {
  if (!subjectIds || subjectIds.length < 2) {
    return pageOfQuestions(db, { ...options, limit, isSolved: false, subjectId: subjectIds?.[0] });
  }
  const { viewerId, spaceId, page = 1, withBody = true } = options;
  const { rows } = await db.query<QuestionColumns & { total: number }>({
    text: `
      select total.n as total, page.*
      from (select coalesce(sum(unsolved), 0)::int as n from read.question_totals
            where space_id = $2 and subject_id = any($3::text[]) and topic_id = '') total
      left join lateral (
        select ${QUESTION_VIEW}, q.created_at
        from (select ${questionColumns(withBody)} from read.questions q
              where q.space_id = $2 and not q.is_removed and q.accepted_answer_id is null and q.subject_id = any($3)
              order by ${ORDERS.NEWEST} limit $4 offset $5) q ${QUESTION_JOINS}
      ) page on true
      order by page.created_at desc, page.question_id desc`,
    values: [viewerId, spaceId, [...new Set(subjectIds)], limit, (page - 1) * limit],
  });
  return {
    docs: rows.filter((row) => row.question_id !== null).map((row) => questionFrom(row, viewerId)),
    page,
    totalPages: pagesOf(rows[0]?.total ?? 0, limit),
  };
}

/** A question that is not removed, as the viewer (null: anyone) sees it. */
export async function findQuestionById(
  db: Queryable,
  questionId: string,
  viewerId: string | null,
): Promise<QuestionView | null> {
  const { rows } = await db.query<QuestionColumns>({
    name: 'question-by-id',
    text: `select ${QUESTION_VIEW} from read.questions q ${QUESTION_JOINS} where q.question_id = $2 and not q.is_removed`,
    values: [viewerId, questionId],
  });
  return rows[0] ? questionFrom(rows[0], viewerId) : null;
}

/** Saved questions that are not removed, the latest saved first, at most 1000. */
export async function listSavedQuestionIds(
  db: Queryable,
  studentId: string,
  spaceId?: string,
): Promise<string[]> {
  const { rows } = await db.query<{ question_id: string }>({
    name: 'saved-question-ids',
    text: `select b.question_id from read.bookmarks b
           join read.questions q on q.question_id = b.question_id and not q.is_removed
           where b.student_id = $1 and ($2::text is null or b.space_id = $2)
           order by b.saved_at desc, b.question_id desc limit 1000`,
    values: [studentId, spaceId ?? null],
  });
  return rows.map((row) => row.question_id);
}
