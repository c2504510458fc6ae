import type { PostType } from '@nimo/domain';
import { excerptOf } from '@nimo/rich-text';
import { commentExcerptOf, namesOfMentioned } from '../mention-names.js';
import { isoTime, type Page, pageFrom, type PageRow, type Queryable } from '../queryable.js';
import {
  authorColumns,
  type AuthorColumns,
  authorFrom,
  type AuthorView,
} from '../students/students.queries.js';
import { staffWordsOf } from '../moderation/staff-words.table.js';
import type { NoticeType } from './notifications.tables.js';

/** How far back the bell reaches, so that neither a page nor its total grows with a student's years. */
const RECENT_NOTIFICATIONS = 500;
/** What is new is counted up to here; beyond it reads "99+". */
export const MAX_COUNTED_AS_NEW = 100;

export type NotificationViewType = NoticeType | `${PostType}_UPVOTED`;

export interface NotificationView {
  readonly _id: string;
  readonly type: NotificationViewType;
  readonly isNew: boolean;
  readonly createdAt: string;
  readonly questionId: string;
  readonly questionTitle: string;
  readonly answerId: string | null;
  /** The beginning, as plain text; null where no answer is concerned. */
  readonly answerBody: string | null;
  readonly commentId: string | null;
  /** Plain text; a mention reads `@name`. */
  readonly commentBody: string | null;
  /** Who did it; null for votes, as who voted is nobody's business. */
  readonly author: AuthorView | null;
  /** How many upvotes the day brought; null for all else. */
  readonly upvotes: number | null;
  /** A moderator's, where the post was removed or put back. */
  readonly reason: string | null;
}

export interface NotificationOptions {
  readonly receiverId: string;
  readonly spaceId: string;
  /** The receiver's last look; null: never. Before that everything since joining is new. */
  readonly seenAt: string | null;
  /** Votes of a day are told when it is over. */
  readonly now: string;
}

interface NotificationColumns extends Omit<AuthorColumns, 'author_id'> {
  id: string;
  type: NotificationViewType;
  is_new: boolean;
  created: string;
  question_id: string;
  title: string;
  answer_id: string | null;
  answer_body: string | null;
  comment_id: string | null;
  comment_body: string | null;
  author_id: string | null;
  upvotes: number | null;
  reason: string | null;
  names: Record<string, string | null> | null;
}

/**
 * A notification goes with the post that it is about, and with what that stands under. That a post was removed is told all the
 * more.
 */
const STANDS = `
  join read.questions q on q.question_id = n.question_id and (not q.is_removed or n.ruling_ordinal is not null)
  left join read.answers x on x.answer_id = n.answer_id
  left join read.comments c on c.comment_id = n.post_id
  where (n.answer_id is null or not x.is_removed)
    and (n.type not in ('NEW_COMMENT', 'NEW_QUESTION_COMMENT', 'MENTION') or not c.is_removed)`;

/** Since when a member is one; nobody else is told of questions. */
const JOINED = `coalesce((select joined_at from read.memberships
  where space_id = $2 and student_id = $1 and left_at is null), 'infinity')`;
/** Day by day, at the midnight that ends the day. */
const TOLD_AT = `((d.day::date + 1)::timestamp at time zone 'UTC')`;

/**
 * The latest notifications: `$1` the receiver, `$2` the space, `$3` what day it is. Three lists, each walked along its index from
 * its newest end and no further than needed.
 */
const latest = (limit: number, since = (_createdAt: string): string => ''): string => `
  select * from (
    (select n.type, n.post_id, n.question_id, n.answer_id, n.actor_id, n.created_at, null::bigint as upvotes, n.ruling_ordinal
     from read.notices n ${STANDS} and n.receiver_id = $1 and n.space_id = $2 ${since('n.created_at')}
     order by n.created_at desc, n.post_id desc limit ${limit})
    union all
    (select n.type, n.post_id, n.question_id, n.answer_id, n.actor_id, n.created_at, null, n.ruling_ordinal
     from read.notices n ${STANDS} and n.receiver_id = '' and n.space_id = $2 and n.actor_id <> $1
       and n.created_at > ${JOINED} ${since('n.created_at')}
     order by n.created_at desc, n.post_id desc limit ${limit})
    union all
    (select d.post_type || '_UPVOTED', d.post_id, d.question_id, x.answer_id, null, ${TOLD_AT}, d.upvotes, null
     from read.upvote_days d
     join read.questions q on q.question_id = d.question_id and not q.is_removed
     left join read.answers x on d.post_type = 'ANSWER' and x.answer_id = d.post_id
     where d.receiver_id = $1 and d.space_id = $2 and d.day < $3 and (d.post_type = 'QUESTION' or not x.is_removed)
       ${since(TOLD_AT)}
     order by d.day desc, d.post_id desc limit ${limit})
  ) n order by n.created_at desc, n.post_id desc, n.type limit ${limit}`;

const SEEN = `coalesce($4::timestamptz, nullif(${JOINED}, 'infinity'), '-infinity')`;
const today = (now: string): string => now.slice(0, 'YYYY-MM-DD'.length);

/** What a student is told of in a space, the latest first. */
export async function pageOfNotifications(
  db: Queryable,
  {
    receiverId,
    spaceId,
    seenAt,
    now,
    page = 1,
    limit = 50,
  }: NotificationOptions & { readonly page?: number; readonly limit?: number },
): Promise<Page<NotificationView>> {
  const { rows } = await db.query<PageRow<NotificationColumns>>({
    name: 'notifications',
    text: `
      with recent as materialized (${latest(RECENT_NOTIFICATIONS)}),
      hit as (select * from recent order by created_at desc, post_id desc, type limit $5 offset $6)
      select total.n as total, page.* from (select count(*)::int as n from recent) total
      left join lateral (
        select n.type || ':' || n.post_id || case when n.upvotes is null then '' else ':' || ${isoTime('n.created_at')} end as id,
          n.type, n.created_at > ${SEEN} as is_new, ${isoTime('n.created_at')} as created, n.question_id,
          case when q.is_removed and q.author_id <> $1 then '' else q.title end as title,
          case when n.ruling_ordinal is not null then coalesce(${staffWordsOf('$1', 'n.ruling_ordinal')}, '') end as reason,
          n.answer_id, left(x.body, 4000) as answer_body, c.comment_id, c.body as comment_body, n.upvotes::int,
          ${authorColumns('a', 'n.actor_id')}, n.created_at, n.post_id,
          ${namesOfMentioned('c.mentioned_student_ids')} as names
        from hit n
        join read.questions q on q.question_id = n.question_id
        left join read.answers x on x.answer_id = n.answer_id
        left join read.comments c on c.comment_id = n.post_id
        left join read.students a on a.student_id = n.actor_id
      ) page on true
      order by page.created_at desc, page.post_id desc, page.type`,
    values: [receiverId, spaceId, today(now), seenAt, limit, (page - 1) * limit],
  });
  return pageFrom(rows, { page, limit, idColumn: 'id' }, viewOf);
}

/** How many are new, at most `MAX_COUNTED_AS_NEW`. */
export async function countNewNotifications(
  db: Queryable,
  { receiverId, spaceId, seenAt, now }: NotificationOptions,
): Promise<number> {
  const since = (createdAt: string): string => `and ${createdAt} > ${SEEN}`;
  const { rows } = await db.query<{ n: number }>({
    name: 'new-notifications',
    text: `select count(*)::int as n from (${latest(MAX_COUNTED_AS_NEW, since)}) recent`,
    values: [receiverId, spaceId, today(now), seenAt],
  });
  return rows[0]?.n ?? 0;
}

const viewOf = (row: NotificationColumns): NotificationView => ({
  _id: row.id,
  type: row.type,
  isNew: row.is_new,
  createdAt: row.created,
  questionId: row.question_id,
  questionTitle: row.title,
  answerId: row.answer_id,
  answerBody: row.answer_body === null ? null : excerptOf(row.answer_body),
  commentId: row.comment_id,
  commentBody: row.comment_body === null ? null : commentExcerptOf(row.comment_body, row.names ?? {}),
  reason: row.reason,
  author: !row.author_id ? null : authorFrom({ ...row, author_id: row.author_id }),
  upvotes: row.upvotes,
});
