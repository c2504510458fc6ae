import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';

/**
 * Reads more of a list and adds it to that list, whichever is shown by then: `fetchMore` of the client adds an answer that comes late to
 * the list that has taken its place.
 */
export function useMore<Data, Variables extends OperationVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
) {
  const client = useApolloClient();
  return async (
    next: Partial<Variables>,
    join: (loaded: Data, more: Data) => Data,
  ): Promise<Data | undefined> => {
    const { data: more } = await client.query({
      query,
      variables: { ...variables, ...next },
      fetchPolicy: 'no-cache',
    });
    if (more) client.cache.updateQuery({ query, variables }, (loaded) => loaded && join(loaded, more));
    return more;
  };
}
