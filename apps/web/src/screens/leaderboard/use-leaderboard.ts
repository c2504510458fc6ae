import { useQuery } from '@apollo/client/react';
import { LeaderboardDocument, type LeaderboardRowFragment } from '../../generated/graphql';
import { mergePages } from '../../lib/merge-pages';
import { useListPolicy } from '../../lib/use-list-policy';
import { useMore } from '../../lib/use-more';
import { useNextPage } from '../../lib/use-next-page';

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
  const rows = board?.docs;
  const hasMore = board !== undefined && board.page < board.totalPages;
  const pageAbove = rows?.[0] ? Math.ceil((rows[0].rank - 1) / rowsOfPage) : 0;
  const list = `${space} ${firstPage}`;

  const load = (page: number, place: (loaded: Rows, next: Rows) => Rows, end: 'top' | 'bottom') =>
    readMore({ page }, ({ getPaginatedLeaderboardScores: loaded }, more) => {
      const next = more.getPaginatedLeaderboardScores;
      const docs = place(loaded.docs, next.docs);
      return { getPaginatedLeaderboardScores: { ...(end === 'top' ? loaded : next), docs } };
    });
  const nextPage = useNextPage(list, () => load((board?.page ?? 0) + 1, mergePages, 'bottom'));
  const previousPage = useNextPage(list, () =>
    load(pageAbove, (loaded, above) => mergePages(above, loaded), 'top'),
  );

  return { rows, error, hasMore, nextPage, hasPrevious: pageAbove > 0, previousPage, refetch };
}

type Rows = LeaderboardRowFragment[];
