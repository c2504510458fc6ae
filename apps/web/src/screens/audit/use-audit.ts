import { skipToken, useQuery } from '@apollo/client/react';
import {
  AuditEntriesDocument,
  type AuditEntriesQueryVariables,
  type AuditFilterInput,
} from '../../generated/graphql';
import { useMore } from '../../lib/use-more';
import { useNextPage } from '../../lib/use-next-page';

/** The lines loaded so far, newest first, and the way to older ones. Read anew whenever it is opened. */
export function useAudit(filter: AuditFilterInput, skip = false) {
  const variables: AuditEntriesQueryVariables = { filter, after: null };
  const { data, error, refetch } = useQuery(
    AuditEntriesDocument,
    skip ? skipToken : { variables, fetchPolicy: 'network-only' },
  );
  const page = data?.getAuditEntries;
  const after = page?.pageInfo.endCursor ?? null;
  const readMore = useMore(AuditEntriesDocument, variables);
  const nextPage = useNextPage(JSON.stringify(filter), () =>
    readMore({ after }, ({ getAuditEntries: loaded }, { getAuditEntries: next }) => ({
      // Read again meanwhile, it is shorter, and these do not follow.
      getAuditEntries:
        loaded.pageInfo.endCursor === after ? { ...next, nodes: [...loaded.nodes, ...next.nodes] } : loaded,
    })),
  );
  return { lines: page?.nodes, hasMore: page?.pageInfo.hasNextPage ?? false, nextPage, error, refetch };
}
