import { useQuery } from '@apollo/client/react';
import { OwnActivitiesDocument } from '../../generated/graphql';
import { mergePages } from '../../lib/merge-pages';
import { useNextPage } from '../../lib/use-next-page';

/** What the student did in the space, the latest first, a hundred at a time. */
export function useActivities(space: string) {
  const { data, error, fetchMore, refetch } = useQuery(OwnActivitiesDocument, {
    variables: { space, page: 1 },
    // Also for who comes back: what they did meanwhile belongs to the list.
    fetchPolicy: 'cache-and-network',
    nextFetchPolicy: 'cache-first',
  });
  const activities = data?.getPaginatedStudentActivities;
  const hasMore = activities !== undefined && activities.page < activities.totalPages;
  const nextPage = useNextPage(space, () =>
    fetchMore({
      variables: { page: (activities?.page ?? 0) + 1 },
      updateQuery: ({ getPaginatedStudentActivities: loaded }, { fetchMoreResult }) => {
        const next = fetchMoreResult.getPaginatedStudentActivities;
        return { getPaginatedStudentActivities: { ...next, docs: mergePages(loaded.docs, next.docs) } };
      },
    }),
  );
  return { activities: activities?.docs, error, hasMore, nextPage, refetch };
}
