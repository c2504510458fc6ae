import { useApolloClient, useQuery } from '@apollo/client/react';
import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { NewNotificationCountDocument, NotificationArrivedDocument } from '../../generated/graphql';
import { useLive } from '../../lib/api/live';
import { useSpaceStart } from '../../lib/api/use-space-start';

/** How many notifications are new; read again when the api says that one arrived, which it also does after every reconnection. */
export function useNewCount(space: string): number {
  const client = useApolloClient();
  const fetchPolicy = useSpaceStart(space);
  const { data } = useQuery(NewNotificationCountDocument, { variables: { space }, fetchPolicy });
  const reread = useCallback(() => {
    const query = { query: NewNotificationCountDocument, variables: { space } };
    const read = async (): Promise<void> => {
      const marks = marksUntilNow();
      const { data: counted } = await client.query({ ...query, fetchPolicy: 'no-cache' });
      // Counted before what is shown was marked as seen: a late answer must not bring it back.
      if (marks !== marksUntilNow()) return read();
      if (counted) client.writeQuery({ ...query, data: counted });
    };
    // A badge that could not be read stays as it was.
    read().catch(() => undefined);
  }, [client, space]);
  const marksAtStart = useRef(marksUntilNow());
  useEffect(() => {
    if (fetchPolicy !== 'standby' && marksAtStart.current !== marksUntilNow()) reread();
  }, [fetchPolicy, reread]);
  useLive(NotificationArrivedDocument, { variables: { space } }, reread);
  return data?.getNewNotificationCount ?? 0;
}

/** The api counts no further. */
const MAX_COUNTED = 100;

/** The same as a badge shows it, and as the name of what carries the badge. */
export function useNewBadge(space: string) {
  const { t } = useTranslation('notifications');
  const newCount = useNewCount(space);
  const shown = newCount >= MAX_COUNTED ? `${MAX_COUNTED - 1}+` : String(newCount);
  return { newCount, shown, label: newCount > 0 ? t('bell', { shown }) : t('title') };
}

/** How often marking notifications as seen has begun or ended, for counts that were asked for before. */
let changes = 0;

const marksUntilNow = (): number => changes;

export function noteMark(): void {
  changes += 1;
}
