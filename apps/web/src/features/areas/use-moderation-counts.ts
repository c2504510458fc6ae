import { skipToken, useQuery } from '@apollo/client/react';
import { ModerationCountsDocument, NotificationArrivedDocument } from '../../generated/graphql';
import { useLive } from '../../lib/api/live';
import { paths } from '../../lib/paths';
import { useOwnAreas } from './own-areas';

/** Vote patterns give no signal. */
const REFRESH_MS = 10 * 60_000;

/** Number of open items by path of the menu entry, in all spaces the caller moderates; empty while loading. */
export function useModerationCounts(): Readonly<Record<string, number>> {
  const isModerator = useOwnAreas()?.includes('moderation') ?? false;
  const { data, refetch } = useQuery(
    ModerationCountsDocument,
    isModerator ? { pollInterval: REFRESH_MS, skipPollAttempt: () => document.hidden } : skipToken,
  );
  useLive(
    NotificationArrivedDocument,
    { variables: { space: null }, skip: !isModerator },
    // After a failure, the counts stay as they were.
    () => void refetch().catch(() => undefined),
  );
  const counts = data?.getModerationCounts;
  return counts
    ? {
        [paths.moderation]: counts.reportedPosts,
        [paths.entry]: counts.entryRequests,
        [paths.votePatterns]: counts.votePatterns,
        [paths.voteCases]: counts.proposedCases,
      }
    : {};
}
