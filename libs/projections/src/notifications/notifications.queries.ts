import type { PostType } from '@nimo/domain';
import { excerptOf } from '@nimo/rich-text';
import { commentExcerptOf, mentionNamesSql } from '../mention-names.js';
import { isoTime, type Page, pageFrom, type PageRow, type Queryable } from '../queryable.js';
import {
  authorColumns,
  type AuthorColumns,
  authorFrom,
  type AuthorView,
} from '../students/students.queries.js';
import { staffWordsOf } from '../moderation/staff-words.table.js';
import type { NoticeType } from './notifications.tables.js';

/** Maximum number of notifications listed, so that the cost does not grow over the years. */
const RECENT_NOTIFICATIONS = 500;
/** Counting stops here; the app shows "99+". */
export const MAX_COUNTED_AS_NEW = 100;

export type NotificationViewType = NoticeType | `${PostType}_UPVOTED` | 'ENTRY_REQUESTED';

export interface NotificationView {
  readonly _id: string;
  readonly type: NotificationViewType;
  readonly isNew: boolean;
  readonly createdAt: string;
  /** Null for a request to join. */
  readonly questionId: string | null;
  readonly questionTitle: string;
  readonly answerId: string | null;
  /** Plain-text excerpt; null if there is no answer. */
  readonly answerBody: string | null;
  readonly commentId: string | null;
  /** Plain-text excerpt with mentions as `@name`; null if there is no comment. */
  readonly commentBody: string | null;
  /** Null for votes, which are anonymous, and for decisions of moderators. For a request to join, the student who asks. */
  readonly author: AuthorView | null;
  /** Upvotes of the day; null for other types. */
  readonly upvotes: number | null;
  /** A moderator's reason for removing or restoring the post. */
  readonly reason: string | null;
  /** Null unless a student asks to join. */
  readonly entryRequest: NotifiedEntryRequest | null;
}

export interface NotifiedEntryRequest {
  readonly text: string | null;
  readonly spaceId: string;
  readonly spaceName: string;
}

export interface NotificationOptions {
  readonly receiverId: string;
  readonly spaceId: string;
  /** The receiver's last visit. If null, everything since joining is new. */
  readonly seenAt: string | null;
  /** Current time. Upvotes are listed after their day has ended. */
  readonly now: string;
  /** Whether the receiver moderates the space. Moderators are also notified of open requests to join. */
  readonly isModerator: boolean;
}

interface NotificationColumns extends Omit<AuthorColumns, 'author_id'> {
  id: string;
  type: NotificationViewType;
  is_new: boolean;
  created: string;
  question_id: string | null;
  title: string | null;
  answer_id: string | null;
  answer_body: string | null;
  comment_id: string | null;
  comment_body: string | null;
  author_id: string | null;
  upvotes: number | null;
  reason: string | null;
  request_text: string | null;
  /** Null unless a student asks to join. */
  space_id: string | null;
  space_name: string;
  names: Record<string, string | null> | null;
}

/** Leaves out notifications on removed posts and below them, except those about the removal. */
const VISIBLE = `
  join read.questions q on q.question_id = n.question_id and (not q.is_removed or n.ruling_ordinal is not null)
  left join read.answers x on x.answer_id = n.answer_id
  left join read.comments c on c.comment_id = n.post_id
  where (n.answer_id is null or not x.is_removed)
    and (n.type not in ('NEW_COMMENT', 'NEW_QUESTION_COMMENT', 'MENTION') or not c.is_removed)`;

/** When the receiver joined. Only members are notified of new questions. */
const JOINED = `coalesce((select joined_at from read.memberships
  where space_id = $2 and student_id = $1 and left_at is null), 'infinity')`;
/** Upvotes of a day are listed at the midnight that ends it. */
const NOTIFIED_AT = `((d.day::date + 1)::timestamp at time zone 'UTC')`;

/**
 * SQL for the latest notifications; `$1` is the receiver, `$2` the space, `$3` the current day, `$5` whether the receiver moderates
 * the space. Merges three lists, each an index scan from the newest row up to the limit, and the open requests to join, which leave
 * the list once a moderator answers. Nobody answers their own request.
 */
const latest = (limit: number, since = (_createdAt: string): string => ''): string => `
  select * from (
    (select n.type, n.post_id, n.question_id, n.answer_id, n.actor_id, n.created_at, null::bigint as upvotes, n.ruling_ordinal,
       null as request_text
     from read.notices n ${VISIBLE} and n.receiver_id = $1 and n.space_id = $2 ${since('n.created_at')}
     order by n.created_at desc, n.post_id desc limit ${limit})
    union all
    (select n.type, n.post_id, n.question_id, n.answer_id, n.actor_id, n.created_at, null, n.ruling_ordinal, null
     from read.notices n ${VISIBLE} and n.receiver_id = '' and n.space_id = $2 and n.actor_id <> $1
       and n.created_at > ${JOINED} ${since('n.created_at')}
     order by n.created_at desc, n.post_id desc limit ${limit})
    union all
    (select d.post_type || '_UPVOTED', d.post_id, d.question_id, x.answer_id, null, ${NOTIFIED_AT}, d.upvotes, null, null
     from read.upvote_days d
     join read.questions q on q.question_id = d.question_id and not q.is_removed
     left join read.answers x on d.post_type = 'ANSWER' and x.answer_id = d.post_id
     where d.receiver_id = $1 and d.space_id = $2 and d.day < $3 and (d.post_type = 'QUESTION' or not x.is_removed)
       ${since(NOTIFIED_AT)}
     order by d.day desc, d.post_id desc limit ${limit})
    union all
    (select 'ENTRY_REQUESTED', r.student_id || ':' || $2, null, null, r.student_id, asked.at, null, null, request->>'text'
     from read.entry_requests r
     cross join jsonb_array_elements(r.requests) request
     cross join lateral (select (request->>'requestedAt')::timestamptz as at) asked
     join read.students a on a.student_id = r.student_id and not a.is_blocked and not a.is_erased
     where $5::boolean and r.open_space_ids @> array[$2::text] and request->>'spaceId' = $2 and r.student_id <> $1
       ${since('asked.at')}
     order by asked.at desc, r.student_id desc limit ${limit})
  ) n order by n.created_at desc, n.post_id desc, n.type limit ${limit}`;

const SEEN = `coalesce($4::timestamptz, nullif(${JOINED}, 'infinity'), '-infinity')`;
const today = (now: string): string => now.slice(0, 'YYYY-MM-DD'.length);

/** A page of a student's notifications in a space, latest first. */
export async function pageOfNotifications(
  db: Queryable,
  {
    receiverId,
    spaceId,
    seenAt,
    now,
    isModerator,
    page = 1,
    limit = 50,
  }: NotificationOptions & { readonly page?: number; readonly limit?: number },
): Promise<Page<NotificationView>> {
  const { rows } = await db.query<PageRow<NotificationColumns>>({
    name: 'notifications',
    text: `
      with recent as materialized (${latest(RECENT_NOTIFICATIONS)}),
      hit as (select * from recent order by created_at desc, post_id desc, type limit $6 offset $7)
      select total.n as total, page.* from (select count(*)::int as n from recent) total
      left join lateral (
        select n.type || ':' || n.post_id || case when n.upvotes is null then '' else ':' || ${isoTime('n.created_at')} end as id,
          n.type, n.created_at > ${SEEN} as is_new, ${isoTime('n.created_at')} as created, n.question_id,
          case when q.is_removed and q.author_id <> $1 then '' else q.title end as title,
          n.request_text, s.space_id, s.name as space_name,
          case when n.ruling_ordinal is not null then coalesce(${staffWordsOf('$1', 'n.ruling_ordinal')}, '') end as reason,
          n.answer_id, left(x.body, 4000) as answer_body, c.comment_id, c.body as comment_body, n.upvotes::int,
          ${authorColumns('a', 'n.actor_id')}, n.created_at, n.post_id,
          ${mentionNamesSql('c.mentioned_student_ids')} as names
        from hit n
        left join read.spaces s on s.space_id = $2 and n.type = 'ENTRY_REQUESTED'
        left join read.questions q on q.question_id = n.question_id
        left join read.answers x on x.answer_id = n.answer_id
        left join read.comments c on c.comment_id = n.post_id
        left join read.students a on a.student_id = n.actor_id
      ) page on true
      order by page.created_at desc, page.post_id desc, page.type`,
    values: [receiverId, spaceId, today(now), seenAt, isModerator, limit, (page - 1) * limit],
  });
  return pageFrom(rows, { page, limit, idColumn: 'id' }, viewOf);
}

/** The number of new notifications, at most `MAX_COUNTED_AS_NEW`. */
export async function countNewNotifications(
  db: Queryable,
  { receiverId, spaceId, seenAt, now, isModerator }: NotificationOptions,
): Promise<number> {
  const since = (createdAt: string): string => `and ${createdAt} > ${SEEN}`;
  const { rows } = await db.query<{ n: number }>({
    name: 'new-notifications',
    text: `select count(*)::int as n from (${latest(MAX_COUNTED_AS_NEW, since)}) recent`,
    values: [receiverId, spaceId, today(now), seenAt, isModerator],
  });
  return rows[0]?.n ?? 0;
}

const viewOf = (row: NotificationColumns): NotificationView => ({
  _id: row.id,
  type: row.type,
  isNew: row.is_new,
  createdAt: row.created,
  questionId: row.question_id,
  questionTitle: row.title ?? '',
  answerId: row.answer_id,
  answerBody: row.answer_body === null ? null : excerptOf(row.answer_body),
  commentId: row.comment_id,
  commentBody: row.comment_body === null ? null : commentExcerptOf(row.comment_body, row.names ?? {}),
  reason: row.reason,
  author: !row.author_id ? null : authorFrom({ ...row, author_id: row.author_id }),
  upvotes: row.upvotes,
  entryRequest: requestOf(row),
});

const requestOf = ({ request_text: text, space_id: spaceId, space_name: spaceName }: NotificationColumns) =>
  spaceId === null ? null : { text, spaceId, spaceName };
