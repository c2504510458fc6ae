import { useApolloClient, useQuery, useSubscription } from '@apollo/client/react';
import { useCallback } from 'react';
import { NewNotificationCountDocument, NotificationArrivedDocument } from '../../generated/graphql';

/** How many notifications are new; read again when the api says that one arrived, which it also does after every reconnection. */
export function useNewCount(space: string): number {
  const client = useApolloClient();
  const { data } = useQuery(NewNotificationCountDocument, {
    variables: { space },
    fetchPolicy: 'cache-and-network',
  });
  const reread = useCallback(() => {
    // A badge that could not be read stays as it was.
    client
      .query({ query: NewNotificationCountDocument, variables: { space }, fetchPolicy: 'network-only' })
      .catch(() => undefined);
  }, [client, space]);
  useSubscription(NotificationArrivedDocument, { variables: { space }, onData: reread, ignoreResults: true });
  return data?.getNewNotificationCount ?? 0;
}
