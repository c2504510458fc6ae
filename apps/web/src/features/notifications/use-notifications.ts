import { useMutation } from '@apollo/client/react';
import { useCallback, useEffect } from 'react';
import {
  MarkNotificationsSeenDocument,
  NewNotificationCountDocument,
  NotificationsDocument,
} from '../../generated/graphql';
import { refetchOnMount, usePagedList } from '../../lib/api/paged-list';
import { countMark } from './use-new-count';

/**
 * A snapshot of the notifications, with more pages on scroll. Marks them as seen.
 * @param space null for all spaces the user moderates
 */
export function useNotifications(space: string | null) {
  // Notifications already seen must not flash up as new.
  const { data, rows, ...list } = usePagedList(
    NotificationsDocument,
    { space, page: 1 },
    'getPaginatedNotifications',
    refetchOnMount,
  );
  const latest = data?.getPaginatedNotifications.docs[0]?.createdAt;
  const { markSeen, isMarked } = useMarkSeen(space, latest);
  return {
    ...list,
    notifications: rows,
    /** Everything shown is marked as seen, so a new count means that more has arrived. */
    isSeen: data !== undefined && (latest === undefined || isMarked),
    markAllRead: () => void markSeen({ variables: { space, upTo: null } }).then(list.refetch),
  };
}

function useMarkSeen(space: string | null, latest: string | undefined) {
  const [mark, { called, loading }] = useMutation(MarkNotificationsSeenDocument, {
    update(cache, { data }) {
      if (!data) return;
      cache.writeQuery({
        query: NewNotificationCountDocument,
        variables: { space },
        data: { getNewNotificationCount: data.markNotificationsSeen },
      });
    },
    // They stay new until the next visit; the user cannot do anything about it.
    onError: () => undefined,
  });
  const markSeen = useCallback(
    (options: Parameters<typeof mark>[0]) => {
      countMark();
      return mark(options).finally(countMark);
    },
    [mark],
  );
  useEffect(() => {
    if (latest !== undefined) void markSeen({ variables: { space, upTo: latest } });
  }, [latest, markSeen, space]);
  return { markSeen, isMarked: called && !loading };
}
