import { opaque, type Page, pageFrom, type PageRow, pageWindow, type Queryable } from '../queryable.js';
import {
  ALL_PARTS,
  isMemberColumn,
  type QuestionColumns,
  questionFrom,
  questionJoins,
  type QuestionParts,
  questionView,
  type QuestionView,
} from './question.view.js';
import { ALL } from '../totals.js';

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
  /** All unless given. */
  readonly parts?: QuestionParts;
}

const ORDERS: Readonly<Record<QuestionSort, string>> = {
  NEWEST: 'q.created_at desc, q.question_id desc',
  MOST_ANSWERED: 'q.answer_count desc, q.created_at desc, q.question_id desc',
};

/** What narrows a list, as SQL and as the part of the statement's name that tells it from others. */
interface Narrowing {
  readonly name: string;
  readonly source: string;
  readonly conditions: string;
  readonly values: readonly unknown[];
  /** The list's length from a maintained counter; only what is the viewer's own, and thereby short, is counted. */
  readonly total: string;
}

const solutionOf = ({ isSolved }: QuestionListOptions): keyof typeof COUNTED => {
  if (isSolved === undefined) return 'any';
  return isSolved ? 'solved' : 'unsolved';
};

/** `$1` is the viewer, `$2` the space. */
function narrowing(options: QuestionListOptions): Narrowing {
  const { viewerId, spaceId, subjectId, topicId, isMine, isSaved } = options;
  const values: unknown[] = [viewerId, spaceId];
  const parameter = (value: string | undefined) =>
    value === undefined ? undefined : `$${values.push(value)}`;
  const [subject, topic] = [parameter(subjectId), parameter(topicId)];
  const solution = solutionOf(options);
  const conditions = [
    'q.space_id = $2',
    'not q.is_removed',
    subject && `q.subject_id = ${subject}`,
    topic && `q.topic_id = ${topic}`,
    isMine && 'q.author_id = $1',
    CONDITIONS[solution],
  ]
    .filter(Boolean)
    .join(' and ');
  const source = isSaved ? SAVED : 'read.questions q';
  return {
    name: [subject && 'subject', topic && 'topic', isMine && 'mine', isSaved && 'saved', solution]
      .filter(Boolean)
      .join('-'),
    source,
    conditions,
    values,
    total:
      isMine || isSaved
        ? `select count(*) from ${source} where ${conditions}`
        : `select ${COUNTED[solution]} from read.question_totals
           where space_id = $2 and subject_id = ${subject ?? `'${ALL}'`} and topic_id = ${topic ?? `'${ALL}'`}`,
  };
}

const CONDITIONS = {
  any: undefined,
  solved: 'q.accepted_answer_id is not null',
  unsolved: 'q.accepted_answer_id is null',
} as const;
const COUNTED = { any: 'solved + unsolved', solved: 'solved', unsolved: 'unsolved' } as const;
/** Bookmarks first: a student has few of them, a space has many questions. */
const SAVED = `read.bookmarks s
  join read.questions q on q.question_id = s.question_id and s.student_id = $1 and s.space_id = $2`;

/** The list is for members: whether the viewer is one is found out with it, which spares every page a round trip. */
export interface QuestionPageView extends Page<QuestionView> {
  readonly isViewerMember: boolean;
}

type ListRow = PageRow<QuestionColumns> & { readonly viewer_is_member: boolean };

/** The questions of a space that pass all filters given, and how many pages there are: one statement. */
export async function pageOfQuestions(
  db: Queryable,
  options: QuestionListOptions,
): Promise<QuestionPageView> {
  const { viewerId, sort = 'NEWEST', page = 1, limit = 20, parts = ALL_PARTS } = options;
  const { name, source, conditions, values, total } = narrowing(options);
  // PostgreSQL takes names of up to 63 characters.
  const list = [name, sort === 'NEWEST' ? 'new' : 'top', nameOf(parts)].join('-');
  const { window, later, ...named } = pageWindow(list, page, limit, `$${values.length + 1}`);
  const { rows } = await db.query<ListRow>({
    ...named,
    text: pageSql({
      total,
      ids: `select q.question_id from ${source} where ${conditions}`,
      sort,
      window,
      parts,
    }),
    values: [...values, ...later],
  });
  return questionPageFrom(rows, { page, limit, viewerId });
}

const questionPageFrom = (
  rows: readonly ListRow[],
  { viewerId, ...window }: { readonly page: number; readonly limit: number; readonly viewerId: string },
): QuestionPageView => ({
  ...pageFrom<QuestionColumns, QuestionView>(rows, { ...window, idColumn: 'question_id' }, (row) =>
    questionFrom(row, viewerId),
  ),
  isViewerMember: rows[0]?.viewer_is_member ?? false,
});

interface PageSql {
  readonly total: string;
  readonly ids: string;
  readonly sort: QuestionSort;
  readonly window: string;
  readonly parts: QuestionParts;
}

const nameOf = ({ body, details }: QuestionParts): string =>
  `${body ? 'full' : 'short'}${details ? '' : '-card'}`;

/** The ids come from an index alone, whatever the page; rows and what is joined to them are read for one page. */
const pageSql = ({ total, ids, sort, window, parts }: PageSql): string => `
  select coalesce((${total}), 0)::int as total, ${isMemberColumn('$2')} as viewer_is_member, page.*
  from (values (1)) as always
  left join lateral (
    select ${questionView(parts, isMemberColumn('$2'))}, q.created_at
    from (${ids} order by ${ORDERS[sort]} ${window}) hit
    join read.questions q on q.question_id = hit.question_id ${questionJoins(parts)}
  ) page on true
  order by ${ORDERS[sort].replaceAll('q.', 'page.')}`;

export interface UnsolvedQuestionsOptions {
  readonly spaceId: string;
  readonly viewerId: string;
  readonly subjectIds?: readonly string[] | undefined;
  readonly page?: number;
  readonly limit?: number;
  readonly parts?: QuestionParts;
}

/** The newest unsolved questions of a space, or of some of its subjects. */
export async function pageOfUnsolvedQuestions(
  db: Queryable,
  { subjectIds, limit = 10, ...options }: UnsolvedQuestionsOptions,
): Promise<QuestionPageView> {
  if (!subjectIds || subjectIds.length < 2) {
    return pageOfQuestions(db, { ...options, limit, isSolved: false, subjectId: subjectIds?.[0] });
  }
  const { viewerId, spaceId, page = 1, parts = ALL_PARTS } = options;
  const { window, later, ...named } = pageWindow(`subjects-unsolved-${nameOf(parts)}`, page, limit, '$4');
  const { rows } = await db.query<ListRow>({
    ...named,
    text: pageSql({
      total: `select sum(unsolved) from read.question_totals
              where space_id = $2 and subject_id = any($3::text[]) and topic_id = '${ALL}'`,
      ids: `select q.question_id from read.questions q
            where q.space_id = $2 and not q.is_removed and q.accepted_answer_id is null and q.subject_id = any($3)`,
      sort: 'NEWEST',
      window,
      parts,
    }),
    values: [viewerId, spaceId, [...new Set(subjectIds)], ...later],
  });
  return questionPageFrom(rows, { page, limit, viewerId });
}

/** A question that is not removed, as the viewer (null: anyone) sees it. */
export async function findQuestionById(
  db: Queryable,
  questionId: string,
  viewerId: string | null,
): Promise<QuestionView | null> {
  const { rows } = await db.query<QuestionColumns>({
    name: 'question-by-id',
    text: `select ${questionView(ALL_PARTS, isMemberColumn('q.space_id'))} from read.questions q ${questionJoins(ALL_PARTS)} where q.question_id = $2 and not q.is_removed`,
    values: [viewerId, questionId],
  });
  return rows[0] ? questionFrom(rows[0], viewerId) : null;
}

/** Those of the questions that are not removed, in the order of the ids. */
export async function findQuestionsByIds(
  db: Queryable,
  ids: readonly string[],
  viewerId: string,
  parts: QuestionParts = ALL_PARTS,
): Promise<QuestionView[]> {
  const { rows } = await db.query<QuestionColumns>({
    name: `questions-by-ids-${nameOf(parts)}`,
    text: `select ${questionView(parts, isMemberColumn('q.space_id'))}
           from unnest(${opaque('$2', 'text[]')}) with ordinality as hit(id, place)
           join read.questions q on q.question_id = hit.id and not q.is_removed ${questionJoins(parts)}
           order by hit.place`,
    values: [viewerId, ids],
  });
  return rows.map((row) => questionFrom(row, viewerId));
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
