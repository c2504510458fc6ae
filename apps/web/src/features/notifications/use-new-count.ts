import { useApolloClient, useQuery } from '@apollo/client/react';
import { useCallback } from 'react';
import { NewNotificationCountDocument, NotificationArrivedDocument } from '../../generated/graphql';
import { useLive } from '../../lib/live';
import { useSpaceStart } from '../shell/use-space-start';

/** How many notifications are new; read again when the api says that one arrived, which it also does after every reconnection. */
export function useNewCount(space: string): number {
  const client = useApolloClient();
  const fetchPolicy = useSpaceStart(space, 'cache-and-network');
  const { data } = useQuery(NewNotificationCountDocument, { variables: { space }, fetchPolicy });
  const reread = useCallback(() => {
    // A badge that could not be read stays as it was.
    client
      .query({ query: NewNotificationCountDocument, variables: { space }, fetchPolicy: 'network-only' })
      .catch(() => undefined);
  }, [client, space]);
  useLive(NotificationArrivedDocument, { variables: { space } }, reread);
  return data?.getNewNotificationCount ?? 0;
}
