import { useQuery } from '@apollo/client/react';
import { OwnActivitiesDocument } from '../../generated/graphql';
import { withPage } from '../../lib/merge-pages';
import { useMore } from '../../lib/use-more';
import { useUnfolded } from '../../lib/use-unfolded';

/** What the student did in the space, the latest first, a hundred at a time. */
export function useActivities(space: string) {
  const variables = { space, page: 1 };
  const { data, error, refetch } = useQuery(OwnActivitiesDocument, {
    variables,
    // Also for who comes back: what they did meanwhile belongs to the list.
    fetchPolicy: 'cache-and-network',
    nextFetchPolicy: 'cache-first',
  });
  const activities = data?.getPaginatedStudentActivities;
  const hasMore = activities !== undefined && activities.page < activities.totalPages;
  const readMore = useMore(OwnActivitiesDocument, variables);
  const { rows, nextPage } = useUnfolded({
    list: space,
    rows: activities?.docs,
    hasMore,
    fetchNext: () =>
      readMore({ page: (activities?.page ?? 0) + 1 }, (loaded, more) => ({
        getPaginatedStudentActivities: withPage(
          loaded.getPaginatedStudentActivities,
          more.getPaginatedStudentActivities,
        ),
      })),
  });
  return { activities: rows, error, hasMore, nextPage, refetch };
}
