import { MAX_REMOVAL_POSTS, type PostRef, type ReportedPostType } from '@nimo/domain';
import { excerptOf } from '@nimo/rich-text';
import { commentExcerptOf, type MentionNames, mentionNamesSql } from '../mention-names.js';
import type { ModeratorScope } from '../moderator-scope.js';
import { isoTime, type Page, pageFrom, type PageRow, type Queryable } from '../queryable.js';
import { notOfRemovedSpace } from '../removed-space.sql.js';
import { staffWordsOf } from './staff-words.table.js';

/** Characters of a body to cut an excerpt from. */
const EXCERPT_SOURCE_LENGTH = 1_000;

export interface RemovalSubject {
  readonly spaceId: string;
  readonly authorId: string;
  readonly moderatorId: string;
}

/** Posts of an author in a space that a moderator can remove. */
export interface RemovablePosts {
  /** The newest, at most `MAX_REMOVAL_POSTS`. */
  readonly posts: readonly PostRef[];
  /** Number of posts including older ones. */
  readonly total: number;
  /** Number of posts that the moderator reported, which are not in the list. */
  readonly reportedByModerator: number;
  /** Visible answers of others to the listed questions. */
  readonly answersOfOthers: number;
  /** Earlier removals of the author's posts in the space. The list contains a post of theirs only once it was restored. */
  readonly knownRemovalIds: ReadonlySet<string>;
}

interface RemovableColumns {
  post_type: ReportedPostType;
  post_id: string;
  question_id: string;
  is_reported: boolean;
  total: number;
  reported: number;
}

const isReportedBy = (moderator: string, post: string): string =>
  `exists (select from read.moderation_cases c where c.post_id = ${post}
     and exists (select from jsonb_array_elements(c.reports) r where r ->> 'reporterId' = ${moderator}))`;

const BY_AUTHOR = 'p.author_id = $1 and p.space_id = $2 and not p.is_removed';
/** All visible posts that no removal has taken. */
const REMOVABLE = `
  select * from (
    select 'QUESTION' as post_type, p.question_id as post_id, p.question_id, p.created_at
    from read.questions p where ${BY_AUTHOR}
    union all
    select 'ANSWER', p.answer_id, p.question_id, p.created_at
    from read.answers p join read.questions q on q.question_id = p.question_id and not q.is_removed where ${BY_AUTHOR}
    union all
    select case p.parent_type when 'QUESTION' then 'QUESTION_COMMENT' else 'COMMENT' end, p.comment_id, p.question_id, p.created_at
    from read.comments p join read.questions q on q.question_id = p.question_id and not q.is_removed
    left join read.answers a on p.parent_type = 'ANSWER' and a.answer_id = p.parent_id
    where ${BY_AUTHOR} and (p.parent_type = 'QUESTION' or not a.is_removed)
  ) visible where not exists (select from read.removed_posts t where t.post_id = visible.post_id)`;

export async function findRemovablePosts(
  db: Queryable,
  { spaceId, authorId, moderatorId }: RemovalSubject,
): Promise<RemovablePosts> {
  // Before the posts, so that these take every known removal into account.
  const known = await db.query<{ removal_id: string }>({
    text: 'select removal_id from read.removals where author_id = $1 and space_id = $2',
    values: [authorId, spaceId],
  });
  const { rows } = await db.query<RemovableColumns>({
    name: 'removable-posts',
    text: `
      with marked as (select m.*, ${isReportedBy('$3', 'm.post_id')} as is_reported from (${REMOVABLE}) m)
      select post_type, post_id, question_id, is_reported, (count(*) filter (where not is_reported) over ())::int as total,
        (count(*) filter (where is_reported) over ())::int as reported
      from marked order by is_reported, created_at desc, post_id desc limit ${MAX_REMOVAL_POSTS}`,
    values: [authorId, spaceId, moderatorId],
  });
  const posts = rows
    .filter(({ is_reported }) => !is_reported)
    .map(({ post_type, post_id, question_id }) => ({
      ...{ postType: post_type, postId: post_id, questionId: question_id, spaceId },
      postAuthorId: authorId,
    }));
  const questions = posts.filter(({ postType }) => postType === 'QUESTION').map(({ postId }) => postId);
  return {
    posts,
    total: rows[0]?.total ?? 0,
    reportedByModerator: rows[0]?.reported ?? 0,
    answersOfOthers: await countAnswersOfOthers(db, questions, authorId),
    knownRemovalIds: new Set(known.rows.map(({ removal_id }) => removal_id)),
  };
}

async function countAnswersOfOthers(
  db: Queryable,
  questionIds: readonly string[],
  authorId: string,
): Promise<number> {
  if (questionIds.length === 0) return 0;
  const { rows } = await db.query<{ count: number }>({
    text: `select count(*)::int as count from read.answers a
           where a.question_id = any($1::text[]) and a.author_id <> $2 and not a.is_removed`,
    values: [questionIds, authorId],
  });
  return rows[0]?.count ?? 0;
}

/** IDs of the posts that the student reported in any round. */
export async function findReportedPosts(
  db: Queryable,
  studentId: string,
  postIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const { rows } = await db.query<{ post_id: string }>({
    text: `select p.post_id from unnest($1::text[]) as p (post_id) where ${isReportedBy('$2', 'p.post_id')}`,
    values: [postIds, studentId],
  });
  return new Set(rows.map(({ post_id }) => post_id));
}

/** Whose posts in which space a removal is about. Null for an unknown removal. */
export async function findRemovalSubject(
  db: Queryable,
  removalId: string,
): Promise<Pick<RemovalSubject, 'spaceId' | 'authorId'> | null> {
  const { rows } = await db.query<{ spaceId: string; authorId: string }>({
    text: 'select space_id as "spaceId", author_id as "authorId" from read.removals where removal_id = $1',
    values: [removalId],
  });
  return rows[0] ?? null;
}

export interface PostsRemovalView {
  readonly _id: string;
  readonly spaceId: string;
  readonly authorId: string;
  readonly posts: number;
  readonly moderatorId: string;
  readonly reason: string;
  readonly removedAt: string;
  readonly restoredBy: string | null;
  readonly restoreReason: string | null;
  readonly restoredAt: string | null;
}

const REMOVAL = `r.removal_id as "_id", r.space_id as "spaceId", r.author_id as "authorId", r.post_count as posts,
  r.moderator_id as "moderatorId", coalesce(${staffWordsOf('r.author_id', 'r.removed_ordinal')}, '') as reason,
  ${isoTime('r.removed_at')} as "removedAt", r.restored_by as "restoredBy", ${isoTime('r.restored_at')} as "restoredAt",
  case when r.restored_at is not null then coalesce(${staffWordsOf('r.author_id', 'r.restored_ordinal')}, '') end as "restoreReason"`;
/** Excludes removals of the moderator's own posts. */
const IS_VISIBLE = `($1::text[] is null or r.space_id = any($1::text[])) and r.author_id <> $2 and ${notOfRemovedSpace('r.space_id')}`;

const scopeValues = ({ moderatorId, spaces }: ModeratorScope): unknown[] => [
  spaces === 'all' ? null : spaces,
  moderatorId,
];

/** Latest first. */
export async function pageOfRemovals(
  db: Queryable,
  { page, limit, ...scope }: ModeratorScope & { readonly page: number; readonly limit: number },
): Promise<Page<PostsRemovalView>> {
  const { rows } = await db.query<PageRow<PostsRemovalView>>({
    text: `
      select total.n as total, page.* from (select count(*)::int as n from read.removals r where ${IS_VISIBLE}) total
      left join lateral (
        select ${REMOVAL}, r.removed_ordinal from read.removals r where ${IS_VISIBLE}
        order by r.removed_ordinal desc limit $3 offset $4
      ) page on true
      order by page.removed_ordinal desc`,
    values: [...scopeValues(scope), limit, (page - 1) * limit],
  });
  return pageFrom(rows, { page, limit, idColumn: '_id' }, (row) => row);
}

/** Null also for a removal that the moderator may not see. */
export async function findRemoval(
  db: Queryable,
  removalId: string,
  scope: ModeratorScope,
): Promise<PostsRemovalView | null> {
  const { rows } = await db.query<PostsRemovalView & Record<string, unknown>>({
    text: `select ${REMOVAL} from read.removals r where ${IS_VISIBLE} and r.removal_id = $3`,
    values: [...scopeValues(scope), removalId],
  });
  return rows[0] ?? null;
}

/** `PENDING`: the removal has not reached the post yet. `DELETED`: by its author, or directly by a moderator. */
export type RemovedPostState = 'PENDING' | 'REMOVED' | 'RESTORED' | 'DELETED';

export interface RemovedPostView {
  readonly postId: string;
  readonly postType: ReportedPostType;
  readonly questionId: string;
  /** Title of the question. */
  readonly title: string;
  readonly excerpt: string;
  readonly state: RemovedPostState;
}

interface RemovedPostColumns {
  post_id: string;
  post_type: ReportedPostType;
  question_id: string;
  title: string;
  body: string;
  state: RemovedPostState;
  names: MentionNames | null;
}

/** The posts of a removal, newest first. */
export async function listRemovedPosts(db: Queryable, removalId: string): Promise<RemovedPostView[]> {
  const { rows } = await db.query<RemovedPostColumns>({
    text: `
      select p.post ->> 'postId' as post_id, p.post ->> 'postType' as post_type, p.post ->> 'questionId' as question_id,
        coalesce(q.title, '') as title, left(coalesce(a.body, m.body, q.body, ''), ${EXCERPT_SOURCE_LENGTH}) as body,
        case
          when coalesce(a.is_deleted, m.is_deleted, q.is_deleted, false) then 'DELETED'
          when c.is_upheld then 'REMOVED'
          when t.removal_id = r.removal_id then 'PENDING'
          else 'RESTORED' end as state,
        ${mentionNamesSql('m.mentioned_student_ids')} as names
      from read.removals r
      cross join lateral jsonb_array_elements(r.posts) with ordinality as p (post, place)
      left join read.questions q on q.question_id = p.post ->> 'questionId'
      left join read.answers a on a.answer_id = p.post ->> 'postId'
      left join read.comments m on m.comment_id = p.post ->> 'postId'
      left join read.moderation_cases c on c.post_id = p.post ->> 'postId'
      left join read.removed_posts t on t.post_id = p.post ->> 'postId'
      where r.removal_id = $1 order by p.place`,
    values: [removalId],
  });
  return rows.map(({ post_id, post_type, question_id, title, body, state, names }) => ({
    ...{ postId: post_id, postType: post_type, questionId: question_id, title, state },
    excerpt:
      post_type === 'QUESTION' || post_type === 'ANSWER'
        ? excerptOf(body)
        : commentExcerptOf(body, names ?? {}),
  }));
}
