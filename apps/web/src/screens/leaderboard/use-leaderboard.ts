import { useQuery } from '@apollo/client/react';
import { useCallback } from 'react';
import { LeaderboardDocument } from '../../generated/graphql';
import { mergePages } from '../../lib/merge-pages';

/** The rows loaded so far, and the way to the next. */
export function useLeaderboard(space: string) {
  const { data, error, loading, fetchMore, refetch } = useQuery(LeaderboardDocument, {
    variables: { space, page: 1 },
    fetchPolicy: 'cache-and-network',
  });
  const board = data?.getPaginatedLeaderboardScores;
  const hasMore = board !== undefined && board.page < board.totalPages;

  const loadMore = useCallback(() => {
    if (loading || board === undefined) return;
    void fetchMore({
      variables: { page: board.page + 1 },
      updateQuery: ({ getPaginatedLeaderboardScores: loaded }, { fetchMoreResult }) => {
        const next = fetchMoreResult.getPaginatedLeaderboardScores;
        return { getPaginatedLeaderboardScores: { ...next, docs: mergePages(loaded.docs, next.docs) } };
      },
    });
  }, [board, loading, fetchMore]);

  return { rows: board?.docs, error, hasMore, loadMore, refetch };
}
