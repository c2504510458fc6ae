import { useApolloClient, useQuery } from '@apollo/client/react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { NewNotificationCountDocument, NotificationArrivedDocument } from '../../generated/graphql';
import { useLive } from '../../lib/live';

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
  useLive(NotificationArrivedDocument, { variables: { space } }, reread);
  return data?.getNewNotificationCount ?? 0;
}

/** What the api counts up to. */
const MAX_COUNTED = 100;

/** The same as a badge shows it, and as the name of what carries the badge. */
export function useNewBadge(space: string) {
  const { t } = useTranslation('notifications');
  const newCount = useNewCount(space);
  const shown = newCount >= MAX_COUNTED ? `${MAX_COUNTED - 1}+` : String(newCount);
  return { newCount, shown, label: newCount > 0 ? t('bell', { shown }) : t('title') };
}
