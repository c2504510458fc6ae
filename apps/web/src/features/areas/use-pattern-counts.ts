import { skipToken, useQuery } from '@apollo/client/react';
import { PatternCountsDocument, type PatternCountsQuery } from '../../generated/graphql';
import { useOwnAreas } from './own-areas';

export type PatternCount = PatternCountsQuery['getVotePatternCounts'][number];

const REFRESH_MS = 10 * 60_000;

/** Patterns to triage: new ones, and watched ones that grew. */
export const patternsToTriage = ({ untriaged, watchedAndGrown }: PatternCount): number =>
  untriaged + watchedAndGrown;

/** Vote patterns by state in all spaces the caller moderates; empty while loading. */
export function usePatternCounts(): readonly PatternCount[] {
  const isModerator = useOwnAreas()?.includes('moderation') ?? false;
  const { data } = useQuery(
    PatternCountsDocument,
    isModerator
      ? {
          // Shared by the menu and the screen; refetched after each triage.
          fetchPolicy: 'cache-and-network',
          nextFetchPolicy: 'cache-first',
          pollInterval: REFRESH_MS,
          skipPollAttempt: () => document.hidden,
        }
      : skipToken,
  );
  return data?.getVotePatternCounts ?? [];
}
