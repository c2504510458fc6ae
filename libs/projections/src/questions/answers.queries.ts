import {
  hasPrivatePictures,
  isoTime,
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
  authorColumns,
  type AuthorColumns,
  authorFrom,
  type AuthorView,
} from '../students/students.queries.js';
import { ownVote, ownVoteColumn, type ReferenceView } from './question.view.js';

export interface AnswerView {
  readonly _id: string;
  /** The question's title. */
  readonly title: string;
  readonly body: string;
  readonly imageUrls: readonly string[];
  /** As in `QuestionView`. */
  readonly hasPrivatePictures: boolean;
  readonly createdAt: string;
  readonly editedAt: string | null;
  readonly upvoteCount: number;
  readonly downvoteCount: number;
  readonly commentsCount: number;
  readonly upvotedBy: readonly ReferenceView[];
  readonly downvotedBy: readonly ReferenceView[];
  readonly author: AuthorView;
  readonly question: ReferenceView;
}

export interface AnswerColumns extends AuthorColumns {
  answer_id: string;
  title: string;
  body: string;
  image_urls: string[];
  has_private_pictures: boolean;
  created: string;
  edited: string | null;
  upvotes: number;
  downvotes: number;
  comments_count: number;
  own_vote: string | null;
  question_id: string;
}

/** Columns of an answer `x` and its question `q`. `$1` is the viewer or null. */
export const ANSWER_VIEW = `
  x.answer_id, q.title, x.body, x.image_urls,
  ${hasPrivatePictures('x.image_urls', 'q.space_id')} as has_private_pictures, ${isoTime('x.created_at')} as created, ${isoTime('x.edited_at')} as edited,
  coalesce(v.upvotes, 0)::int as upvotes, coalesce(v.downvotes, 0)::int as downvotes, x.comments_count,
  ${ownVoteColumn('x.answer_id')} as own_vote, x.question_id, ${authorColumns('a', 'x.author_id')}`;
const VISIBLE = `
  read.questions q join read.answers x on x.question_id = q.question_id and not q.is_removed and not x.is_removed`;
export const ANSWER_JOINS = `
  left join read.students a on a.student_id = x.author_id
  left join read.post_votes v on v.post_id = x.answer_id
`;

export const answerFrom = (row: AnswerColumns, viewerId: string | null): AnswerView => ({
  _id: row.answer_id,
  title: row.title,
  body: row.body,
  imageUrls: row.image_urls,
  hasPrivatePictures: row.has_private_pictures,
  createdAt: row.created,
  editedAt: row.edited,
  upvoteCount: row.upvotes,
  downvoteCount: row.downvotes,
  commentsCount: row.comments_count,
  ...ownVote(row.own_vote, viewerId),
  author: authorFrom(row),
  question: { _id: row.question_id },
});

export interface AnswerPageOptions extends Reader {
  readonly questionIds: readonly string[];
  readonly page?: number;
  readonly limit?: number;
}

export const ANSWERS_ORDER = 'page.is_accepted desc, page.created_at, page.answer_id';

/** Accepted answers first, then oldest first. */
export async function pageOfAnswers(
  db: Queryable,
  { questionIds, viewerId, moderated, page = 1, limit = 100 }: AnswerPageOptions,
): Promise<Page<AnswerView>> {
  const { name, window, later } = pageWindow('answers', page, limit, '$4');
  const questionFilter = `= any(${opaque('$2', 'text[]')}) and ${readable('q.space_id', '$1', '$3')}`;
  const { rows } = await db.query<PageRow<AnswerColumns>>({
    name,
    text: `
      select total.n as total, page.*
      from (select coalesce(sum(q.answer_count), 0)::int as n from read.questions q
            where q.question_id ${questionFilter} and not q.is_removed) total
      left join lateral (${answersSql(questionFilter, window)}) page on true
      order by ${ANSWERS_ORDER}`,
    values: [viewerId, [...new Set(questionIds)], moderatedOf({ viewerId, moderated }), ...later],
  });
  return pageFrom(rows, { page, limit, idColumn: 'answer_id' }, (row) => answerFrom(row, viewerId));
}

/** @param questionFilter SQL condition that follows `q.question_id` */
export const answersSql = (questionFilter: string, window: string): string => `
  select ${ANSWER_VIEW}, x.answer_id is not distinct from q.accepted_answer_id as is_accepted, x.created_at
  from ${VISIBLE} ${ANSWER_JOINS}
  where q.question_id ${questionFilter}
  order by is_accepted desc, x.created_at, x.answer_id ${window}`;

/** Finds an answer unless it or its question is removed. */
export async function findAnswerById(
  db: Queryable,
  answerId: string,
  viewerId: string | null,
): Promise<AnswerView | null> {
  const { rows } = await db.query<AnswerColumns>({
    name: 'answer-by-id',
    text: `select ${ANSWER_VIEW} from ${VISIBLE} ${ANSWER_JOINS} where x.answer_id = $2`,
    values: [viewerId, answerId],
  });
  return rows[0] ? answerFrom(rows[0], viewerId) : null;
}

/** Visible answers in the order of the ids. */
export async function findAnswersByIds(
  db: Queryable,
  ids: readonly string[],
  viewerId: string,
): Promise<AnswerView[]> {
  const { rows } = await db.query<AnswerColumns>({
    name: 'answers-by-ids',
    text: `select ${ANSWER_VIEW} from unnest(${opaque('$2', 'text[]')}) with ordinality as hit(id, place)
           join read.answers x on x.answer_id = hit.id and not x.is_removed
           join read.questions q on q.question_id = x.question_id and not q.is_removed ${ANSWER_JOINS}
           order by hit.place`,
    values: [viewerId, ids],
  });
  return rows.map((row) => answerFrom(row, viewerId));
}
