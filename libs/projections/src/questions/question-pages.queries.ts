import { MAX_SAVED_QUESTIONS } from '@nimo/domain';
import {
  isPublic,
  moderatedOf,
  opaque,
  type Page,
  pageFrom,
  type PageRow,
  pageWindow,
  type Queryable,
  readable,
  type Reader,
} from '../queryable.js';
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

/** Keyset cursor: the sort key of the last question of a page. Stays valid when earlier rows disappear. */
export interface QuestionCursor {
  readonly answerCount: number;
  readonly createdAt: string;
  readonly questionId: string;
}

export interface QuestionListOptions {
  readonly spaceId: string;
  readonly viewerId: string;
  readonly subjectId?: string | undefined;
  readonly topicId?: string | undefined;
  /** Only the viewer's questions. */
  readonly isMine?: boolean | undefined;
  /** Only questions saved by the viewer. */
  readonly isSaved?: boolean | undefined;
  /** Only solved or only unsolved questions; both by default. */
  readonly isSolved?: boolean | undefined;
  readonly sort?: QuestionSort;
  readonly page?: number;
  /** Replaces `page`. */
  readonly after?: QuestionCursor | undefined;
  readonly limit?: number;
  /** All by default. */
  readonly parts?: QuestionParts;
}

const ORDERS: Readonly<Record<QuestionSort, string>> = {
  NEWEST: 'q.created_at desc, q.question_id desc',
  MOST_ANSWERED: 'q.answer_count desc, q.created_at desc, q.question_id desc',
};

/** Row comparisons for the orders above. All columns sort descending, so an index can seek to the cursor. */
const CURSORS: Readonly<
  Record<
    QuestionSort,
    (
      cursor: QuestionCursor,
    ) => readonly [columns: string, types: readonly string[], values: readonly unknown[]]
  >
> = {
  NEWEST: ({ createdAt, questionId }) => [
    'q.created_at, q.question_id',
    ['timestamptz', 'text'],
    [createdAt, questionId],
  ],
  MOST_ANSWERED: ({ answerCount, createdAt, questionId }) => [
    'q.answer_count, q.created_at, q.question_id',
    ['integer', 'timestamptz', 'text'],
    [answerCount, createdAt, questionId],
  ],
};

interface CursorCondition {
  readonly name: string;
  readonly condition: string;
  readonly values: readonly unknown[];
}

/** @param parameterCount number of parameters already in the statement */
function afterCursor(
  cursor: QuestionCursor | undefined,
  sort: QuestionSort,
  parameterCount: number,
): CursorCondition {
  if (!cursor) return { name: '', condition: '', values: [] };
  const [columns, types, values] = CURSORS[sort](cursor);
  const parameters = types.map((type, index) => `$${parameterCount + index + 1}::${type}`).join(', ');
  return { name: '-after', condition: ` and (${columns}) < (${parameters})`, values };
}

/** The filters of a list as SQL, with a unique name for the prepared statement. */
interface ListFilter {
  readonly name: string;
  readonly source: string;
  readonly conditions: string;
  readonly values: readonly unknown[];
  /** SQL for the length of the list: a maintained counter, or a count of the viewer's own questions, which are few. */
  readonly total: string;
}

const solutionOf = ({ isSolved }: QuestionListOptions): keyof typeof TOTALS => {
  if (isSolved === undefined) return 'any';
  return isSolved ? 'solved' : 'unsolved';
};

/** `$1` is the viewer, `$2` the space. */
function listFilter(options: QuestionListOptions): ListFilter {
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
        : `select ${TOTALS[solution]} from read.question_totals
           where space_id = $2 and subject_id = ${subject ?? `'${ALL}'`} and topic_id = ${topic ?? `'${ALL}'`}`,
  };
}

const CONDITIONS = {
  any: undefined,
  solved: 'q.accepted_answer_id is not null',
  unsolved: 'q.accepted_answer_id is null',
} as const;
const TOTALS = { any: 'solved + unsolved', solved: 'solved', unsolved: 'unsolved' } as const;
/** Bookmarks first: a student has few of them, a space has many questions. */
const SAVED = `read.bookmarks s
  join read.questions q on q.question_id = s.question_id and s.student_id = $1 and s.space_id = $2`;

/** Includes the viewer's membership, because only members may read the list. Saves a round trip per page. */
export interface QuestionPageView extends Page<QuestionView> {
  readonly isViewerMember: boolean;
}

type ListRow = PageRow<QuestionColumns> & { readonly viewer_is_member: boolean };

/** Questions of a space that match all filters, with the number of pages, in one statement. */
export async function pageOfQuestions(
  db: Queryable,
  options: QuestionListOptions,
): Promise<QuestionPageView> {
  const { viewerId, sort = 'NEWEST', page = 1, after, limit = 20, parts = ALL_PARTS } = options;
  const { name, source, conditions, values, total } = listFilter(options);
  const start = afterCursor(after, sort, values.length);
  // PostgreSQL limits names to 63 characters.
  const list = [name, sort === 'NEWEST' ? 'new' : 'top', nameOf(parts)].join('-') + start.name;
  const { window, later, ...named } = pageWindow(list, after ? 1 : page, limit, `$${values.length + 1}`);
  const { rows } = await db.query<ListRow>({
    ...named,
    text: pageSql({
      total,
      ids: `select q.question_id from ${source} where ${conditions}${start.condition}`,
      sort,
      window,
      parts,
    }),
    values: [...values, ...start.values, ...later],
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

/** Finds the ids in an index, then reads and joins the rows of one page only. */
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
  readonly after?: QuestionCursor | undefined;
  readonly limit?: number;
  readonly parts?: QuestionParts;
}

/** Newest unsolved questions of a space or of some of its subjects. */
export async function pageOfUnsolvedQuestions(
  db: Queryable,
  { subjectIds, limit = 10, ...options }: UnsolvedQuestionsOptions,
): Promise<QuestionPageView> {
  if (!subjectIds || subjectIds.length < 2) {
    return pageOfQuestions(db, { ...options, limit, isSolved: false, subjectId: subjectIds?.[0] });
  }
  const { viewerId, spaceId, page = 1, after, parts = ALL_PARTS } = options;
  const start = afterCursor(after, 'NEWEST', 3);
  const list = `subjects-unsolved-${nameOf(parts)}${start.name}`;
  const { window, later, ...named } = pageWindow(list, after ? 1 : page, limit, '$4');
  const { rows } = await db.query<ListRow>({
    ...named,
    text: pageSql({
      total: `select sum(unsolved) from read.question_totals
              where space_id = $2 and subject_id = any($3::text[]) and topic_id = '${ALL}'`,
      ids: `select q.question_id from read.questions q
            where q.space_id = $2 and not q.is_removed and q.accepted_answer_id is null and q.subject_id = any($3)${start.condition}`,
      sort: 'NEWEST',
      window,
      parts,
    }),
    values: [viewerId, spaceId, [...new Set(subjectIds)], ...start.values, ...later],
  });
  return questionPageFrom(rows, { page, limit, viewerId });
}

/** Finds a question as the viewer sees it (null: anonymous). Null if removed or if the viewer may not read the space. */
export async function findQuestionById(
  db: Queryable,
  questionId: string,
  viewerId: string | null,
  moderated?: Reader['moderated'],
): Promise<QuestionView | null> {
  const { rows } = await db.query<QuestionColumns>({
    name: 'question-by-id',
    text: `select ${questionView(ALL_PARTS, isMemberColumn('q.space_id'))} from read.questions q ${questionJoins(ALL_PARTS)} 
      where q.question_id = $2 and not q.is_removed and ${readable('q.space_id', '$1', '$3')}`,
    values: [viewerId, questionId, moderatedOf({ viewerId, moderated })],
  });
  return rows[0] ? questionFrom(rows[0], viewerId) : null;
}

/** Questions in the order of the ids, except removed ones. */
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

/** The latest `MAX_SAVED_QUESTIONS` saved questions, except removed ones, last saved first. */
export async function listSavedQuestionIds(
  db: Queryable,
  studentId: string,
  spaceId?: string,
): Promise<string[]> {
  const { rows } = await db.query<{ question_id: string }>({
    name: 'saved-question-ids',
    text: `select b.question_id from read.bookmarks b
           join read.questions q on q.question_id = b.question_id and not q.is_removed
           where b.student_id = $1 and ($2::text is null or b.space_id = $2) and ${readable('b.space_id', '$1', "'{}'")}
           order by b.saved_at desc, b.question_id desc limit ${MAX_SAVED_QUESTIONS}`,
    values: [studentId, spaceId ?? null],
  });
  return rows.map((row) => row.question_id);
}

/** Whether each reader may receive changes of the question, including its removal. */
export async function mayFollowQuestion(
  db: Queryable,
  questionId: string,
  readers: readonly Reader[],
): Promise<boolean[]> {
  const { rows } = await db.query<{ place: number }>({
    name: 'may-follow-question',
    text: `select reader.place::int as place
           from unnest($1::text[], $2::text[]) with ordinality as reader (id, moderated, place)
           join read.questions q on q.question_id = $3
             and ${readable('q.space_id', 'reader.id', "string_to_array(reader.moderated, ' ')")}`,
    values: [
      readers.map(({ viewerId }) => viewerId),
      readers.map((reader) => moderatedOf(reader).join(' ')),
      questionId,
    ],
  });
  const allowed = new Set(rows.map(({ place }) => place - 1));
  return readers.map((_reader, index) => allowed.has(index));
}

/** Ids of the questions with a public page. */
export async function listPublicQuestions(
  db: Queryable,
  questionIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ question_id: string }>({
    name: 'public-questions',
    text: `select q.question_id from read.questions q
           where q.question_id = any(${opaque('$1', 'text[]')}) and not q.is_removed and ${isPublic('q.space_id')}`,
    values: [questionIds],
  });
  return new Set(rows.map(({ question_id }) => question_id));
}
