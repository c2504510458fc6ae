import type { NotificationItemFragment } from '../../generated/graphql';

type Author = Extract<NotificationItemFragment['payload'], { author: unknown }>['author'];

/** One row: the notifications of one kind about one post on one day. */
export interface NotificationGroup {
  latest: NotificationItemFragment;
  /** Each once, the latest first; none for votes and rulings. */
  authors: readonly Author[];
  isNew: boolean;
}

/** The author of whatever several people can do to the same post. */
function authorOf({ payload }: NotificationItemFragment): Author | undefined {
  return 'author' in payload ? payload.author : undefined;
}

function keyOf(notification: NotificationItemFragment): string {
  const { _id, type, createdAt, payload } = notification;
  // Two rulings have reasons of their own, and a day's votes are one notification already.
  if (!authorOf(notification) || !payload.questionId) return _id;
  const answerId = 'answer' in payload ? payload.answer?._id : undefined;
  const isOfAnswer = type === 'NEW_COMMENT' || type === 'MENTION';
  return [
    type,
    new Date(createdAt).toDateString(),
    payload.questionId,
    isOfAnswer ? answerId : undefined,
  ].join();
}

/** Groups notifications by day and post; each group stands where its latest one stood. */
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
