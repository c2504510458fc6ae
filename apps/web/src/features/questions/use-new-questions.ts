import { useApolloClient } from '@apollo/client/react';
import { useCallback, useState } from 'react';
import { NewestQuestionsDocument, NotificationArrivedDocument } from '../../generated/graphql';
import { useLive } from '../../lib/live';
import { queryOf, SORT, type QuestionFilters } from './question-filters';

/**
 * How many questions have come before the first of a list since it was read. Members are told of every question of their space.
 *
 * @param known of the list as it is shown; undefined until it was read
 */
export function useNewQuestions(
  space: string,
  filters: QuestionFilters,
  known: readonly string[] | undefined,
) {
  const client = useApolloClient();
  const variables = queryOf(filters, space);
  const list = JSON.stringify(variables);
  const [newest, setNewest] = useState<{ list: string; ids: readonly string[] }>();
  const look = () => {
    client
      .query({ query: NewestQuestionsDocument, variables, fetchPolicy: 'no-cache' })
      .then(
        ({ data }) => data && setNewest({ list, ids: data.getPaginatedQuestions.docs.map(({ _id }) => _id) }),
      )
      // Nobody waits for it; the next signal looks again.
      .catch(() => undefined);
  };
  useLive(NotificationArrivedDocument, { variables: { space }, skip: filters.sort !== SORT.recent }, look);
  const ids = newest?.list === list ? newest.ids : [];
  const first = ids.findIndex((id) => known?.includes(id));
  return {
    newCount:
      known === undefined
        ? 0
        : first === -1 && known.length > 0
          ? 0
          : (first === -1 ? ids : ids.slice(0, first)).length,
    forget: useCallback(() => setNewest(undefined), []),
  };
}
