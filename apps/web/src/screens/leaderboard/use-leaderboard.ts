import { useQuery } from '@apollo/client/react';
import { LeaderboardDocument, type LeaderboardRowFragment } from '../../generated/graphql';
import { mergePages, withPage } from '../../lib/merge-pages';
import { useListPolicy } from '../../lib/use-list-policy';
import { useMore } from '../../lib/use-more';
import { useNextPage } from '../../lib/use-next-page';
import { useUnfolded } from '../../lib/use-unfolded';

export const rowsOfPage = 20;

/**
 * The rows loaded so far, and the way to the next and to those before.
 *
 * @param firstPage where the list begins: own places may be thousands of rows down
 */
export function useLeaderboard(space: string, firstPage: number) {
  const variables = { space, page: firstPage };
  const { data, error, refetch } = useQuery(LeaderboardDocument, { variables, ...useListPolicy() });
  const readMore = useMore(LeaderboardDocument, variables);
  const board = data?.getPaginatedLeaderboardScores;
  const hasMore = board !== undefined && board.page < board.totalPages;
  const list = `${space} ${firstPage}`;
  const fetchNext = () =>
    readMore({ page: (board?.page ?? 0) + 1 }, (loaded, more) => ({
      getPaginatedLeaderboardScores: withPage(
        loaded.getPaginatedLeaderboardScores,
        more.getPaginatedLeaderboardScores,
      ),
    }));
  const { rows, nextPage } = useUnfolded({ list, rows: board?.docs, hasMore, fetchNext });
  const pageAbove = pageBefore(board?.docs);
  const previousPage = useNextPage(list, () =>
    readMore({ page: pageAbove }, ({ getPaginatedLeaderboardScores: loaded }, more) => {
      const { docs } = more.getPaginatedLeaderboardScores;
      // Read again meanwhile, it may begin further down.
      const isNext = pageBefore(loaded.docs) === pageAbove;
      return {
        getPaginatedLeaderboardScores: isNext ? { ...loaded, docs: mergePages(docs, loaded.docs) } : loaded,
      };
    }),
  );

  return { rows, error, hasMore, nextPage, hasPrevious: pageAbove > 0, previousPage, refetch };
}

/** The page above these rows; 0 where they begin at the top. */
function pageBefore(rows: readonly LeaderboardRowFragment[] | undefined): number {
  return rows?.[0] ? Math.ceil((rows[0].rank - 1) / rowsOfPage) : 0;
}
