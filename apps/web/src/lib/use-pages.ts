import type { OperationVariables, TypedDocumentNode } from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import { withPage } from './merge-pages';
import { useMore } from './use-more';
import { useUnfolded } from './use-unfolded';

interface Page<Row> {
  docs: Row[];
  page: number;
  hasNext: boolean;
}

/** A list of staff, page by page and fresh at each visit. */
export function usePages<
  Data,
  Variables extends OperationVariables & { page: number },
  Row extends { _id: string },
>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  listIn: (data: Data) => Page<Row>,
  dataWith: (list: Page<Row>) => Data,
) {
  const { data, error, refetch } = useQuery(query, {
    variables,
    fetchPolicy: 'network-only',
    nextFetchPolicy: 'cache-first',
  });
  const list = data && listIn(data);
  const hasNext = list?.hasNext ?? false;
  const readMore = useMore(query, variables);
  const fetchNext = () =>
    readMore({ page: (list?.page ?? 0) + 1 } as Partial<Variables>, (loaded, more) =>
      dataWith(withPage(listIn(loaded), listIn(more))),
    );
  const { rows, nextPage } = useUnfolded({
    list: JSON.stringify(variables),
    rows: list?.docs,
    hasMore: hasNext,
    fetchNext,
  });
  return { rows, hasNext, error, nextPage, refetch: () => void refetch() };
}
