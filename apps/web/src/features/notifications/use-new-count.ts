import { useApolloClient, useQuery } from '@apollo/client/react';
import { useCallback, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { NewNotificationCountDocument, NotificationArrivedDocument } from '../../generated/graphql';
import { useLive } from '../../lib/api/live';
import { refetchSpaceStanding } from '../../lib/api/space-standing';
import { useSpaceStart } from '../../lib/api/use-space-start';

/** Vote patterns give no signal. */
const REFRESH_MS = 10 * 60_000;

/**
 * Number of new notifications; refetched on each signal from the API, which also follows a reconnection.
 * @param space null for all spaces the user moderates
 */
export function useNewCount(space: string | null): number {
  const client = useApolloClient();
  const fetchPolicy = useSpaceStart(space ?? undefined);
  const { data } = useQuery(NewNotificationCountDocument, {
    variables: { space },
    fetchPolicy,
    ...(space === null && { pollInterval: REFRESH_MS, skipPollAttempt: () => document.hidden }),
  });
  const reread = useCallback(() => {
    const query = { query: NewNotificationCountDocument, variables: { space } };
    const read = async (): Promise<void> => {
      const marks = markCount();
      const { data: counted } = await client.query({ ...query, fetchPolicy: 'no-cache' });
      // Counted before notifications were marked as seen: ignore the outdated count.
      if (marks !== markCount()) return read();
      if (!counted) return;
      const known = client.readQuery(query)?.getNewNotificationCount ?? 0;
      // The new one may say that the student is suspended.
      if (counted.getNewNotificationCount > known) refetchSpaceStanding(client);
      client.writeQuery({ ...query, data: counted });
    };
    // After a failure, the badge stays as it was.
    read().catch(() => undefined);
  }, [client, space]);
  const marksAtStart = useRef(markCount());
  useEffect(() => {
    if (fetchPolicy !== 'standby' && marksAtStart.current !== markCount()) reread();
  }, [fetchPolicy, reread]);
  useLive(NotificationArrivedDocument, { variables: { space } }, reread);
  return data?.getNewNotificationCount ?? 0;
}

/** The API stops counting here. */
const MAX_COUNTED = 100;

/** The count formatted for a badge, and the accessible label of the element with the badge. */
export function useNewBadge(space: string | null) {
  const { t } = useTranslation('notifications');
  const newCount = useNewCount(space);
  const shown = newCount >= MAX_COUNTED ? `${MAX_COUNTED - 1}+` : String(newCount);
  return { newCount, shown, label: newCount > 0 ? t('bell', { shown }) : t('title') };
}

/** Number of times that marking as seen has started or ended, to detect outdated counts. */
let changes = 0;

const markCount = (): number => changes;

export function countMark(): void {
  changes += 1;
}
