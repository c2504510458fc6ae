import { useMutation } from '@apollo/client/react';
import { useCallback, useEffect } from 'react';
import {
  MarkNotificationsSeenDocument,
  NewNotificationCountDocument,
  NotificationsDocument,
} from '../../generated/graphql';
import { freshAtEachVisit, usePagedList } from '../../lib/api/paged-list';
import { noteMark } from './use-new-count';

/** The list as it was when it was opened, further pages as one scrolls; what is shown counts as seen from then on. */
export function useNotifications(space: string) {
  // What was new at an earlier look must not flash up as new again.
  const { data, rows, ...list } = usePagedList(
    NotificationsDocument,
    { space, page: 1 },
    'getPaginatedNotifications',
    freshAtEachVisit,
  );
  const latest = data?.getPaginatedNotifications.docs[0]?.createdAt;
  const { markSeen, isMarked } = useMarkSeen(space, latest);
  return {
    ...list,
    notifications: rows,
    /** Notifications have arrived that the list does not show yet. */
    isSeen: data !== undefined && (latest === undefined || isMarked),
    markAllRead: () => void markSeen({ variables: { space, upTo: null } }).then(list.refetch),
  };
}

function useMarkSeen(space: string, latest: string | undefined) {
  const [mark, { called, loading }] = useMutation(MarkNotificationsSeenDocument, {
    update(cache, { data }) {
      if (!data) return;
      cache.writeQuery({
        query: NewNotificationCountDocument,
        variables: { space },
        data: { getNewNotificationCount: data.markNotificationsSeen },
      });
    },
    // They stay new until the next look: nothing that a person could do about it.
    onError: () => undefined,
  });
  const markSeen = useCallback(
    (options: Parameters<typeof mark>[0]) => {
      noteMark();
      return mark(options).finally(noteMark);
    },
    [mark],
  );
  useEffect(() => {
    if (latest !== undefined) void markSeen({ variables: { space, upTo: latest } });
  }, [latest, markSeen, space]);
  return { markSeen, isMarked: called && !loading };
}
