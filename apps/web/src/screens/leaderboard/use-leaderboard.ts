import { LeaderboardDocument, type LeaderboardRowFragment } from '../../generated/graphql';
import { idOf, mergeRows, useListPolicy, useMore, useNextPage, usePagedList } from '../../lib/paged-list';

export const rowsOfPage = 20;

/**
 * The rows loaded so far, and the way to the next and to those before.
 *
 * @param firstPage where the list begins: own places may be thousands of rows down
 */
export function useLeaderboard(space: string, firstPage: number) {
  const variables = { space, page: firstPage };
  const { data, ...list } = usePagedList(
    LeaderboardDocument,
    variables,
    'getPaginatedLeaderboardScores',
    useListPolicy(),
  );
  const readMore = useMore(LeaderboardDocument, variables);
  const pageAbove = pageBefore(data?.getPaginatedLeaderboardScores.docs);
  const previousPage = useNextPage(JSON.stringify(variables), () =>
    readMore({ page: pageAbove }, (known, { getPaginatedLeaderboardScores: above }) => {
      const { getPaginatedLeaderboardScores: loaded } = known;
      // Read again meanwhile, it may begin further down.
      if (pageBefore(loaded.docs) !== pageAbove) return known;
      return { getPaginatedLeaderboardScores: { ...loaded, docs: mergeRows(above.docs, loaded.docs, idOf) } };
    }),
  );
  return { ...list, hasPrevious: pageAbove > 0, previousPage };
}

/** The page above these rows; 0 where they begin at the top. */
function pageBefore(rows: readonly LeaderboardRowFragment[] | undefined): number {
  return rows?.[0] ? Math.ceil((rows[0].rank - 1) / rowsOfPage) : 0;
}
