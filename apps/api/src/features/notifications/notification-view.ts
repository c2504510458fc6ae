import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { AuthorView, NotificationView, NotifiedOpenWork } from '@nimo/projections';
import type { Notification, NotificationPayload, NotifiedAnswer } from './notification.type.js';

/** Stands for all spaces a student moderates. */
export const ALL_MODERATED = '';

/** Times up to which a student has seen the notifications of each space. */
@Injectable()
export class LastSeenTimes {
  constructor(private readonly pool: Pool) {}

  /** @returns times by space; spaces in which the student has never looked are missing */
  async of(studentId: string): Promise<Readonly<Record<string, string>>> {
    const { rows } = await this.pool.query<{ space_id: string; seen_at: Date | string }>({
      name: 'notifications-seen',
      text: 'select space_id, seen_at from state.notifications_seen where student_id = $1',
      values: [studentId],
    });
    return Object.fromEntries(rows.map((row) => [row.space_id, new Date(row.seen_at).toISOString()]));
  }

  /** Only moves forward, so that a slower tab does not mark anything as new again. */
  async move(studentId: string, spaceId: string, seenAt: string): Promise<void> {
    await this.pool.query({
      name: 'move-notifications-seen',
      text: `insert into state.notifications_seen as n (student_id, space_id, seen_at) values ($1, $2, $3)
             on conflict (student_id, space_id) do update set seen_at = greatest(n.seen_at, excluded.seen_at)`,
      values: [studentId, spaceId, seenAt],
    });
  }
}

const UNKNOWN_AUTHOR_NAME = 'Someone';

/** @param objectTo contact of the installation for objections */
export const notificationOf = (view: NotificationView, objectTo: string | null): Notification => {
  const { _id, type, isNew, createdAt } = view;
  const payload = view.warning ? warningOf(view.warning, view, objectTo) : payloadOf(view, objectTo);
  return { _id, type, isNew, createdAt, title: titleOf(view), body: bodyOf(view), payload };
};

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

type Removal = NotificationView['removal'];

const nameOf = (place: { readonly spaceName: string } | null): string => place?.spaceName ?? '';
const removalTitle = (done: 'removed' | 'restored', removal: Removal): string =>
  `A moderator ${done} ${counted(removal?.posts ?? 0, 'post')} of yours in ${nameOf(removal)}`;

function titleOf({
  type,
  author,
  upvotes,
  openWork,
  suspension,
  warning,
  removal,
}: NotificationView): string {
  const who = author?.userName || UNKNOWN_AUTHOR_NAME;
  const votes = counted(upvotes ?? 0, 'upvote');
  const where = nameOf(openWork);
  const count = openWork?.count ?? 0;
  switch (type) {
    case 'NEW_QUESTION':
      return `${who} asked a question`;
    case 'NEW_ANSWER':
      return `${who} answered your question`;
    case 'ANSWER_ACCEPTED':
      return `${who} accepted your answer`;
    case 'NEW_COMMENT':
      return `${who} commented on your answer`;
    case 'NEW_QUESTION_COMMENT':
      return `${who} commented on your question`;
    case 'MENTION':
      return `${who} mentioned you in a comment`;
    case 'POST_REMOVED':
      return 'A moderator removed your post';
    case 'POST_RESTORED':
      return 'Your post is visible again';
    case 'SUSPENDED':
      return `A moderator suspended you in ${nameOf(suspension)}`;
    case 'WARNED':
      return `A moderator warned you in ${nameOf(warning)}`;
    case 'POSTS_REMOVED':
      return removalTitle('removed', removal);
    case 'POSTS_RESTORED':
      return removalTitle('restored', removal);
    case 'QUESTION_UPVOTED':
      return `Your question got ${votes}`;
    case 'ANSWER_UPVOTED':
      return `Your answer got ${votes}`;
    case 'ENTRY_REQUESTED':
      return `${who} asks to join ${where}`;
    case 'POST_REPORTED':
      return `Reported post in ${where}: ${counted(count, 'open report')}`;
    case 'CASE_ESCALATED':
      return `Escalated case in ${where}: ${counted(count, 'open report')}`;
    case 'PATTERNS_FOUND':
      return `${counted(count, 'vote pattern')} to triage in ${where}`;
    case 'INVALIDATION_PROPOSED':
      return `Confirm or decline the invalidation of ${counted(count, 'vote')} in ${where}`;
  }
}

const bodyOf = ({
  type,
  reason,
  openWork,
  commentBody,
  answerBody,
  questionTitle,
}: NotificationView): string =>
  reason ??
  openWork?.text ??
  commentBody ??
  (type === 'NEW_ANSWER' ? (answerBody ?? questionTitle) : questionTitle);

/** Fallback for the non-null `author` field; every kind but votes has an author. */
const UNKNOWN_AUTHOR: AuthorView = {
  _id: '',
  userName: '',
  firstName: '',
  lastName: '',
  realProfilePicUrl: null,
  profileDesc: '',
};

const answerOf = ({ answerId, answerBody }: NotificationView): NotifiedAnswer | null =>
  answerId === null ? null : { _id: answerId, excerpt: answerBody ?? '' };

function removalPayload(
  { spaceId: space, ...removal }: NonNullable<Removal>,
  reason: string | null,
  objectTo: string | null,
): NotificationPayload {
  return { kind: 'RemovalNotification', reason: reason ?? '', space, ...removal, objectTo };
}

function payloadOf(view: NotificationView, objectTo: string | null): NotificationPayload {
  const { questionId, questionTitle, upvotes } = view;
  const author = view.author ?? UNKNOWN_AUTHOR;
  if (view.openWork) return openWorkOf(view.openWork, view);
  if (view.suspension) {
    const { spaceId: space, ...suspension } = view.suspension;
    return { kind: 'SuspensionNotification', reason: view.reason ?? '', space, ...suspension };
  }
  if (view.removal) return removalPayload(view.removal, view.reason, objectTo);
  const place = { questionId, questionTitle };
  // Even for a removed post: its author can still open it and read the reason.
  if (view.reason !== null) return { kind: 'RulingNotification', ...place, reason: view.reason };
  if (upvotes !== null) {
    const { answerId, answerBody } = view;
    return { kind: 'VoteNotification', ...place, answer: answerOf(view), answerId, answerBody, upvotes };
  }
  const by = { ...place, author };
  const about = answerOf(view);
  const answer = about && { answer: about, answerId: about._id, answerBody: about.excerpt };
  const comment =
    view.commentId === null ? null : { commentId: view.commentId, commentBody: view.commentBody ?? '' };
  if (comment && answer) return { kind: 'CommentNotification', ...by, ...answer, ...comment };
  if (comment) return { kind: 'QuestionCommentNotification', ...by, ...comment };
  if (answer) return { kind: 'AnswerNotification', ...by, ...answer };
  return { kind: 'QuestionNotification', ...by };
}

function warningOf(
  { spaceId: space, spaceName }: NonNullable<NotificationView['warning']>,
  { reason, questionId, questionTitle, answerId, commentId }: NotificationView,
  objectTo: string | null,
): NotificationPayload {
  const post = questionId === null ? null : { questionId, questionTitle, answerId, commentId };
  return { kind: 'WarningNotification', warning: reason ?? '', post, space, spaceName, objectTo };
}

function openWorkOf(
  { spaceId: space, spaceName, text, caseId, post, count }: NotifiedOpenWork,
  { type, author, questionTitle }: NotificationView,
): NotificationPayload {
  if (type === 'ENTRY_REQUESTED')
    return { kind: 'EntryRequestNotification', student: author ?? UNKNOWN_AUTHOR, text, space, spaceName };
  if (caseId !== null)
    return { kind: 'ProposalNotification', caseId, reason: text ?? '', votes: count, space, spaceName };
  if (!post) return { kind: 'PatternNotification', patterns: count, space, spaceName };
  return { kind: 'CaseNotification', ...post, openReports: count, questionTitle, space, spaceName };
}
