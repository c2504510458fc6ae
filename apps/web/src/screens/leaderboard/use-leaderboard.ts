import { useQuery } from '@apollo/client/react';
import { LeaderboardDocument } from '../../generated/graphql';
import { mergePages } from '../../lib/merge-pages';
import { useNextPage } from '../../lib/use-next-page';

/** The rows loaded so far, and the way to the next. */
export function useLeaderboard(space: string) {
  const { data, error, fetchMore, refetch } = useQuery(LeaderboardDocument, {
    variables: { space, page: 1 },
    fetchPolicy: 'cache-and-network',
  });
  const board = data?.getPaginatedLeaderboardScores;
  const hasMore = board !== undefined && board.page < board.totalPages;

  const nextPage = useNextPage(space, () =>
    fetchMore({
      variables: { page: (board?.page ?? 0) + 1 },
      updateQuery: ({ getPaginatedLeaderboardScores: loaded }, { fetchMoreResult }) => {
        const next = fetchMoreResult.getPaginatedLeaderboardScores;
        return { getPaginatedLeaderboardScores: { ...next, docs: mergePages(loaded.docs, next.docs) } };
      },
    }),
  );

  return { rows: board?.docs, error, hasMore, nextPage, refetch };
}
