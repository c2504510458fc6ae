import type { PostType, ReportedPostType } from '@nimo/domain';
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
import { isInForce } from '../suspension-in-force.sql.js';
import type { NoticeType } from './notifications.tables.js';
import { openWork, type OpenWorkType, type StaffNotificationOptions } from './open-work.sql.js';

/** Maximum number of notifications listed, so that the cost does not grow over the years. */
const RECENT_NOTIFICATIONS = 500;
/** Counting stops here; the app shows "99+". */
export const MAX_COUNTED_AS_NEW = 100;

export type NotificationViewType =
  | NoticeType
  | `${PostType}_UPVOTED`
  | 'SUSPENDED'
  | 'WARNED'
  | 'POSTS_REMOVED'
  | 'POSTS_RESTORED'
  | OpenWorkType;

export interface NotificationView {
  readonly _id: string;
  readonly type: NotificationViewType;
  readonly isNew: boolean;
  readonly createdAt: string;
  /** Null for suspensions, removals of all posts, requests to join, vote patterns, and warnings without a visible post. */
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
  /** A moderator's reason for removing or restoring the post or all posts, or for the suspension; the text of a warning. */
  readonly reason: string | null;
  /** Null unless the receiver is suspended in the space. */
  readonly suspension: {
    readonly spaceId: string;
    readonly spaceName: string;
    readonly until: string | null;
  } | null;
  /** Null unless it is a warning of the receiver. */
  readonly warning: { readonly spaceId: string; readonly spaceName: string } | null;
  /** Null unless all posts of the receiver in the space were removed or restored. */
  readonly removal: { readonly spaceId: string; readonly spaceName: string; readonly posts: number } | null;
  /** Null unless it is about open work of moderators. */
  readonly openWork: NotifiedOpenWork | null;
}

/** Something that waits for a moderator: a request to join, a reported post, a proposed case, or vote patterns. */
export interface NotifiedOpenWork {
  readonly spaceId: string;
  readonly spaceName: string;
  /** Message of a student who asks to join, or the reason of a proposal. */
  readonly text: string | null;
  /** Proposed invalidation. */
  readonly caseId: string | null;
  /** Null unless it is a reported post. */
  readonly post: { readonly postId: string; readonly postType: ReportedPostType } | null;
  /** Open reports of the post, votes of the proposal, or patterns of the space; 0 for a request to join. */
  readonly count: number;
}

export interface NotificationOptions {
  readonly receiverId: string;
  /** If null, only open work of the spaces the receiver moderates is listed. */
  readonly spaceId: string | null;
  /** The receiver's last visit. If null, everything since joining is new. */
  readonly seenAt: string | null;
  /** Current time. Upvotes are listed after their day has ended. */
  readonly now: string;
  /** Null unless the receiver moderates the space. */
  readonly staff: StaffNotificationOptions | null;
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
  suspended_until: string | null;
  /** Null unless it is about open work, a suspension, a warning or a removal. */
  space_id: string | null;
  space_name: string | null;
  post_id: string;
  post_type: ReportedPostType | null;
  amount: number | null;
  names: Record<string, string | null> | null;
}

/** Leaves out notifications on removed posts and below them, except those about the removal. */
const VISIBLE = `
  join read.questions q on q.question_id = n.question_id and (not q.is_removed or n.ruling_ordinal is not null)
  left join read.answers x on x.answer_id = n.answer_id
  left join read.comments c on c.comment_id = n.post_id
  where (n.answer_id is null or not x.is_removed)
    and (n.type not in ('NEW_COMMENT', 'NEW_QUESTION_COMMENT', 'MENTION') or not c.is_removed)`;

/** Place of the post that warning `w` is about, if the post is visible. */
const WARNED_POST = `
  select q.question_id, a.answer_id from (select 1) one
  left join read.comments c on c.comment_id = w.post_id
  left join read.answers a on a.answer_id = coalesce(c.parent_id, w.post_id)
  join read.questions q on q.question_id = coalesce(a.question_id, c.question_id, w.post_id)
  where not q.is_removed and a.is_removed is not true and c.is_removed is not true`;

/** When the receiver joined. Only members are notified of new questions. */
const JOINED = `coalesce((select joined_at from read.memberships
  where space_id = $2 and student_id = $1 and left_at is null), 'infinity')`;
/** Upvotes of a day are listed at the midnight that ends it. */
const NOTIFIED_AT = `((d.day::date + 1)::timestamp at time zone 'UTC')`;
const SEEN = `coalesce($4::timestamptz, nullif(${JOINED}, 'infinity'), '-infinity')`;
const NO_WORK = 'null as request_text, null as space_id, null as post_type, null::integer as amount';

interface LatestOptions {
  readonly limit: number;
  readonly staff: StaffNotificationOptions | null;
  /** Whether to leave out what has been seen. */
  readonly onlyNew?: boolean;
}

/**
 * SQL for the latest notifications; `$1` is the receiver, `$2` the space, `$3` the current day, `$4` the last visit. Merges three
 * lists, each an index scan from the newest row up to the limit, a suspension in force, the few warnings and removals of all posts, and
 * for moderators their open work.
 */
function latest({ limit, staff, onlyNew = false }: LatestOptions): string {
  const since = (createdAt: string, seen = SEEN): string => (onlyNew ? `and ${createdAt} > ${seen}` : '');
  const work = staff ? openWork(staff, { limit, since }) : '';
  return `
  select * from (
    (select n.type, n.post_id, n.question_id, n.answer_id, n.actor_id, n.created_at, ${SEEN} as seen_at, null::bigint as upvotes,
       n.ruling_ordinal, ${NO_WORK}
     from read.notices n ${VISIBLE} and n.receiver_id = $1 and n.space_id = $2 ${since('n.created_at')}
     order by n.created_at desc, n.post_id desc limit ${limit})
    union all
    (select n.type, n.post_id, n.question_id, n.answer_id, n.actor_id, n.created_at, ${SEEN}, null, n.ruling_ordinal, ${NO_WORK}
     from read.notices n ${VISIBLE} and n.receiver_id = '' and n.space_id = $2 and n.actor_id <> $1
       and n.created_at > ${JOINED} ${since('n.created_at')}
     order by n.created_at desc, n.post_id desc limit ${limit})
    union all
    (select d.post_type || '_UPVOTED', d.post_id, d.question_id, x.answer_id, null, ${NOTIFIED_AT}, ${SEEN}, d.upvotes, null, ${NO_WORK}
     from read.upvote_days d
     join read.questions q on q.question_id = d.question_id and not q.is_removed
     left join read.answers x on d.post_type = 'ANSWER' and x.answer_id = d.post_id
     where d.receiver_id = $1 and d.space_id = $2 and d.day < $3 and (d.post_type = 'QUESTION' or not x.is_removed)
       ${since(NOTIFIED_AT)}
     order by d.day desc, d.post_id desc limit ${limit})
    union all
    (select 'SUSPENDED', u.space_id, null, null, null, u.since, ${SEEN}, null, u.reason_ordinal,
       null, u.space_id, null, null
     from read.suspensions u where u.student_id = $1 and u.space_id = $2 and ${isInForce('u')} ${since('u.since')})
    union all
    (select 'WARNED', w.warning_id, p.question_id, p.answer_id, null, w.warned_at, ${SEEN}, null, w.ordinal,
       null, w.space_id, null, null
     from read.warnings w left join lateral (${WARNED_POST}) p on true
     where w.student_id = $1 and w.space_id = $2 ${since('w.warned_at')})
    union all
    (select 'POSTS_REMOVED', r.removal_id, null, null, null, r.removed_at, ${SEEN}, null, r.removed_ordinal,
       null, r.space_id, null, r.post_count
     from read.removals r where r.author_id = $1 and r.space_id = $2 ${since('r.removed_at')})
    union all
    (select 'POSTS_RESTORED', r.removal_id, null, null, null, r.restored_at, ${SEEN}, null, r.restored_ordinal,
       null, r.space_id, null, r.restored_count
     from read.removals r where r.author_id = $1 and r.space_id = $2 and r.restored_at is not null ${since('r.restored_at')})
    ${work}
  ) n order by n.created_at desc, n.post_id desc, n.type limit ${limit}`;
}

const today = (now: string): string => now.slice(0, 'YYYY-MM-DD'.length);

/** Distinguishes prepared statements whose text depends on what the receiver moderates. */
const variantOf = (staff: StaffNotificationOptions | null): string => {
  if (!staff) return 'members';
  return staff.spaces === 'all' ? 'all-moderators' : 'moderators';
};

/** `$1` to `$4`, and for moderators `$5` to `$7`. */
const valuesOf = ({ receiverId, spaceId, now, seenAt, staff }: NotificationOptions): unknown[] => [
  ...[receiverId, spaceId ?? '', today(now), seenAt],
  ...(staff
    ? [staff.spaces === 'all' ? [] : staff.spaces, JSON.stringify(staff.seen), JSON.stringify(staff.patterns)]
    : []),
];

/** A page of a student's notifications in a space, latest first. */
export async function pageOfNotifications(
  db: Queryable,
  {
    page = 1,
    limit = 50,
    ...options
  }: NotificationOptions & { readonly page?: number; readonly limit?: number },
): Promise<Page<NotificationView>> {
  const values = valuesOf(options);
  const { rows } = await db.query<PageRow<NotificationColumns>>({
    name: `notifications-of-${variantOf(options.staff)}`,
    text: `
      with recent as materialized (${latest({ limit: RECENT_NOTIFICATIONS, staff: options.staff })}),
      hit as (
        select * from recent order by created_at desc, post_id desc, type
        limit $${values.length + 1} offset $${values.length + 2}
      )
      select total.n as total, page.* from (select count(*)::int as n from recent) total
      left join lateral (
        select n.type || ':' || n.post_id || case when n.upvotes is null then '' else ':' || ${isoTime('n.created_at')} end as id,
          n.type, n.created_at > n.seen_at as is_new, ${isoTime('n.created_at')} as created, n.question_id,
          case when q.is_removed and q.author_id <> $1 and n.post_type is null then '' else q.title end as title,
          case when n.type = 'SUSPENDED' then (select ${isoTime('u.ends_at')} from read.suspensions u
            where u.student_id = $1 and u.space_id = n.space_id) end as suspended_until,
          n.request_text, n.space_id, n.post_type, n.amount, s.name as space_name,
          case when n.ruling_ordinal is not null then coalesce(${staffWordsOf('$1', 'n.ruling_ordinal')}, '') end as reason,
          n.answer_id, left(x.body, 4000) as answer_body, c.comment_id, c.body as comment_body, n.upvotes::int,
          ${authorColumns('a', 'n.actor_id')}, n.created_at, n.post_id,
          ${mentionNamesSql('c.mentioned_student_ids')} as names
        from hit n
        left join read.spaces s on s.space_id = n.space_id
        left join read.questions q on q.question_id = n.question_id
        left join read.answers x on x.answer_id = n.answer_id
        left join read.warnings w on n.type = 'WARNED' and w.warning_id = n.post_id
        left join read.comments c on c.comment_id = coalesce(w.post_id, n.post_id) and n.post_type is null
        left join read.students a on a.student_id = n.actor_id
      ) page on true
      order by page.created_at desc, page.post_id desc, page.type`,
    values: [...values, limit, (page - 1) * limit],
  });
  return pageFrom(rows, { page, limit, idColumn: 'id' }, viewOf);
}

/** The number of new notifications, at most `MAX_COUNTED_AS_NEW`. */
export async function countNewNotifications(db: Queryable, options: NotificationOptions): Promise<number> {
  const { rows } = await db.query<{ n: number }>({
    name: `new-notifications-of-${variantOf(options.staff)}`,
    text: `select count(*)::int as n from (
             ${latest({ limit: MAX_COUNTED_AS_NEW, staff: options.staff, onlyNew: true })}) recent`,
    values: valuesOf(options),
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
  suspension: suspensionOf(row),
  warning: warningOf(row),
  removal: removalOf(row),
  openWork: openWorkOf(row),
});

const suspensionOf = ({ type, space_id, space_name, suspended_until }: NotificationColumns) =>
  type === 'SUSPENDED' && space_id !== null
    ? { spaceId: space_id, spaceName: space_name ?? '', until: suspended_until }
    : null;

const warningOf = ({ type, space_id, space_name }: NotificationColumns) =>
  type === 'WARNED' && space_id !== null ? { spaceId: space_id, spaceName: space_name ?? '' } : null;

const removalOf = ({ type, space_id, space_name, amount }: NotificationColumns) =>
  (type === 'POSTS_REMOVED' || type === 'POSTS_RESTORED') && space_id !== null
    ? { spaceId: space_id, spaceName: space_name ?? '', posts: amount ?? 0 }
    : null;

const NOT_WORK: ReadonlySet<NotificationViewType> = new Set([
  'SUSPENDED',
  'WARNED',
  'POSTS_REMOVED',
  'POSTS_RESTORED',
]);

const openWorkOf = ({
  type,
  space_id,
  space_name,
  request_text,
  post_id,
  post_type,
  amount,
}: NotificationColumns) =>
  space_id === null || NOT_WORK.has(type)
    ? null
    : {
        spaceId: space_id,
        spaceName: space_name ?? '',
        text: request_text,
        caseId: type === 'INVALIDATION_PROPOSED' ? post_id : null,
        post: post_type === null ? null : { postId: post_id, postType: post_type },
        count: amount ?? 0,
      };
