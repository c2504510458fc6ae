import { MAX_COMMENTS_AT_ONCE, type PostType } from '@nimo/domain';
import { mentionsOf, mentionNamesSql, withNames, withPlainNames } from '../mention-names.js';
import {
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
import type { ReferenceView } from './question.view.js';

export interface CommentView {
  readonly _id: string;
  /** Mentions appear as `@[name]`. */
  readonly body: string;
  /** Plain text with mentions as `@name`. */
  readonly words: string;
  /** Names mentioned in the body. */
  readonly mentions: readonly string[];
  readonly createdAt: string;
  readonly upvoteCount: 0;
  readonly downvoteCount: 0;
  readonly upvotedBy: readonly never[];
  readonly downvotedBy: readonly never[];
  readonly author: AuthorView;
  /** The parent question; null if the parent is an answer. */
  readonly question: ReferenceView | null;
  readonly answer: ReferenceView | null;
}

export interface CommentColumns extends AuthorColumns {
  comment_id: string;
  parent_type: PostType;
  parent_id: string;
  body: string;
  created: string;
  names: Record<string, string | null> | null;
}

/** Columns of a comment `c` and its author `a`. */
export const COMMENT_VIEW = `
  c.comment_id, c.parent_type, c.parent_id, c.body, ${isoTime('c.created_at')} as created, ${authorColumns('a', 'c.author_id')},
  case when c.mentioned_student_ids <> '{}' then ${mentionNamesSql('c.mentioned_student_ids')} end as names`;

/** A comment is visible if its question and, for comments on answers, its answer are visible. */
const VISIBLE = `
  read.comments c
  join read.questions q on q.question_id = c.question_id and not q.is_removed
  left join read.answers x on c.parent_type = 'ANSWER' and x.answer_id = c.parent_id
  left join read.students a on a.student_id = c.author_id`;
const IS_VISIBLE = "not c.is_removed and (c.parent_type = 'QUESTION' or not x.is_removed)";

export const commentFrom = (row: CommentColumns): CommentView => ({
  _id: row.comment_id,
  body: withNames(row.body, row.names ?? {}),
  words: withPlainNames(row.body, row.names ?? {}),
  mentions: mentionsOf(row.body, row.names ?? {}),
  createdAt: row.created,
  upvoteCount: 0,
  downvoteCount: 0,
  upvotedBy: [],
  downvotedBy: [],
  author: authorFrom(row),
  question: row.parent_type === 'QUESTION' ? { _id: row.parent_id } : null,
  answer: row.parent_type === 'ANSWER' ? { _id: row.parent_id } : null,
});

/**
 * Oldest comments of each parent, in the order of the parents, for a DataLoader. `limitAll` is filled round-robin: every parent gets its
 * first comment before any gets a second.
 */
export async function listCommentsOf(
  db: Queryable,
  parentIds: readonly string[],
  limitEach = 100,
  limitAll = MAX_COMMENTS_AT_ONCE,
): Promise<CommentView[][]> {
  const { rows } = await db.query<CommentColumns>({
    name: `comments-of-parents-${limitEach}-${limitAll}`,
    text: commentsSql(`unnest(${opaque('$1', 'text[]')}) as parent (id)`, limitEach, limitAll),
    values: [[...new Set(parentIds)]],
  });
  return groupByParent(rows, parentIds);
}

/** @param parents SQL source of the parents, aliased as `parent (id)` */
export const commentsSql = (parents: string, limitEach = 100, limitAll = MAX_COMMENTS_AT_ONCE): string => `
  select page.* from ${parents}
  cross join lateral (
    select ${COMMENT_VIEW}, row_number() over (order by c.created_at, c.comment_id) as place from ${VISIBLE}
    where c.parent_id = parent.id and ${IS_VISIBLE}
    order by c.created_at, c.comment_id limit ${limitEach}
  ) page
  order by page.place, page.parent_id limit ${limitAll}`;

/** Groups comments by parent, in the order of the parents. */
export function groupByParent(
  comments: readonly CommentColumns[],
  parentIds: readonly string[],
): CommentView[][] {
  const found = new Map<string, CommentView[]>(parentIds.map((id) => [id, []]));
  for (const row of comments) found.get(row.parent_id)?.push(commentFrom(row));
  return parentIds.map((id) => found.get(id) ?? []);
}

export interface CommentPageOptions extends Reader {
  /** Questions or answers. */
  readonly parentIds: readonly string[];
  readonly page?: number;
  readonly limit?: number;
}

/** Comments on questions or answers, oldest first. */
export async function pageOfComments(
  db: Queryable,
  { parentIds, viewerId, moderated, page = 1, limit = 10 }: CommentPageOptions,
): Promise<Page<CommentView>> {
  const { name, window, later } = pageWindow('comments', page, limit, '$4');
  const mayRead = readable('q.space_id', '$2', '$3');
  const { rows } = await db.query<PageRow<CommentColumns>>({
    name,
    text: `
      select total.n as total, page.*
      from (
        select coalesce(sum(counted.n), 0)::int as n from (
          select q.comments_count as n from read.questions q
          where q.question_id = any(${opaque('$1', 'text[]')}) and not q.is_removed and ${mayRead}
          union all
          select x.comments_count from read.answers x
          join read.questions q on q.question_id = x.question_id and not q.is_removed and ${mayRead}
          where x.answer_id = any(${opaque('$1', 'text[]')}) and not x.is_removed
        ) counted
      ) total
      left join lateral (
        select ${COMMENT_VIEW}, c.created_at from ${VISIBLE}
        where c.parent_id = any(${opaque('$1', 'text[]')}) and ${IS_VISIBLE} and ${mayRead}
        order by c.created_at, c.comment_id ${window}
      ) page on true
      order by page.created_at, page.comment_id`,
    values: [[...new Set(parentIds)], viewerId, moderatedOf({ viewerId, moderated }), ...later],
  });
  return pageFrom(rows, { page, limit, idColumn: 'comment_id' }, commentFrom);
}

export async function findCommentById(db: Queryable, commentId: string): Promise<CommentView | null> {
  const { rows } = await db.query<CommentColumns>({
    name: 'comment-by-id',
    text: `select ${COMMENT_VIEW} from ${VISIBLE} where c.comment_id = $1 and ${IS_VISIBLE}`,
    values: [commentId],
  });
  return rows[0] ? commentFrom(rows[0]) : null;
}
