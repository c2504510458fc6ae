import { skipToken, useQuery } from '@apollo/client/react';
import { AuditEntriesDocument, type AuditFilterInput } from '../../generated/graphql';
import { useNextPage } from '../../lib/use-next-page';

/** The lines loaded so far, newest first, and the way to older ones. Read anew whenever it is opened. */
export function useAudit(filter: AuditFilterInput, skip = false) {
  const { data, error, fetchMore, refetch } = useQuery(
    AuditEntriesDocument,
    skip ? skipToken : { variables: { filter, after: null }, fetchPolicy: 'network-only' },
  );
  const page = data?.getAuditEntries;
  const nextPage = useNextPage(JSON.stringify(filter), () =>
    fetchMore({
      variables: { after: page?.pageInfo.endCursor ?? null },
      updateQuery: ({ getAuditEntries: loaded }, { fetchMoreResult: { getAuditEntries: next } }) => ({
        getAuditEntries: { ...next, nodes: [...loaded.nodes, ...next.nodes] },
      }),
    }),
  );
  return { lines: page?.nodes, hasMore: page?.pageInfo.hasNextPage ?? false, nextPage, error, refetch };
}
