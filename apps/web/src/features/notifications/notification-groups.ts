import type { NotificationItemFragment } from '../../generated/graphql';

type Author = Extract<NotificationItemFragment['payload'], { author: unknown }>['author'];

/** One row: the notifications of one kind about one post on one day. */
export interface NotificationGroup {
  latest: NotificationItemFragment;
  /** Without duplicates, latest first; empty for votes and moderation decisions. A student who asks to join is one too. */
  authors: readonly Author[];
  isNew: boolean;
}

function authorOf({ payload }: NotificationItemFragment): Author | undefined {
  if ('student' in payload) return payload.student;
  return 'author' in payload ? payload.author : undefined;
}

function keyOf(notification: NotificationItemFragment): string {
  const { _id, type, createdAt, payload } = notification;
  // Moderation decisions have their own reasons, votes are already grouped by day, and requests are answered one by one.
  if (!('author' in payload) || !payload.questionId) return _id;
  const answerId = 'answer' in payload ? payload.answer?._id : undefined;
  const isOfAnswer = type === 'NEW_COMMENT' || type === 'MENTION';
  return [
    type,
    new Date(createdAt).toDateString(),
    payload.questionId,
    isOfAnswer ? answerId : undefined,
  ].join();
}

/** Groups notifications by kind, post and day, ordered by the latest of each group. */
export function groupsOf(notifications: readonly NotificationItemFragment[]): NotificationGroup[] {
  const groups = new Map<string, NotificationGroup>();
  for (const notification of notifications) {
    const key = keyOf(notification);
    const group = groups.get(key) ?? { latest: notification, authors: [], isNew: false };
    const author = authorOf(notification);
    const isKnown = !author || group.authors.some(({ _id }) => _id === author._id);
    groups.set(key, {
      ...group,
      authors: isKnown ? group.authors : [...group.authors, author],
      isNew: group.isNew || notification.isNew,
    });
  }
  return [...groups.values()];
}
