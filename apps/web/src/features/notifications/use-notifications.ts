import { useMutation, useQuery } from '@apollo/client/react';
import { useCallback, useEffect } from 'react';
import {
  MarkNotificationsSeenDocument,
  NewNotificationCountDocument,
  NotificationsDocument,
} from '../../generated/graphql';
import { withPage } from '../../lib/merge-pages';
import { useMore } from '../../lib/use-more';
import { useUnfolded } from '../../lib/use-unfolded';
import { noteMark } from './marks';

/** The list as it was when it was opened, further pages as one scrolls; what is shown counts as seen from then on. */
export function useNotifications(space: string) {
  const variables = { space, page: 1 };
  const { data, error, refetch } = useQuery(NotificationsDocument, {
    variables,
    // What was new at an earlier look must not flash up as new again.
    fetchPolicy: 'network-only',
    nextFetchPolicy: 'cache-first',
  });
  const page = data?.getPaginatedNotifications;
  const hasMore = page !== undefined && page.page < page.totalPages;
  const readMore = useMore(NotificationsDocument, variables);
  const { rows, nextPage } = useUnfolded({
    list: space,
    rows: page?.docs,
    hasMore,
    fetchNext: () =>
      readMore({ page: (page?.page ?? 0) + 1 }, (loaded, more) => ({
        getPaginatedNotifications: withPage(loaded.getPaginatedNotifications, more.getPaginatedNotifications),
      })),
  });
  const latest = page?.docs[0]?.createdAt;
  const { markSeen, isMarked } = useMarkSeen(space, latest);
  const reread = () => void refetch().catch(() => undefined);
  return {
    notifications: rows,
    error,
    hasMore,
    nextPage,
    /** Notifications have arrived that the list does not show yet. */
    isSeen: page !== undefined && (latest === undefined || isMarked),
    refetch: reread,
    markAllRead: () => void markSeen({ variables: { space, upTo: null } }).then(reread),
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
