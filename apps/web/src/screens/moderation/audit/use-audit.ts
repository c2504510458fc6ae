import { useQuery } from '@apollo/client/react';
import {
  AuditEntriesDocument,
  type AuditFilterInput,
  type AuditLineFragment,
  OwnRolesDocument,
} from '../../../generated/graphql';
import { useGrowingList } from '../../../lib/api/paged-list';

/** An event has several entries if it concerns several votes. */
const keyOf = ({ ordinal, line }: AuditLineFragment): string => `${ordinal} ${line}`;

/** Entries loaded so far, newest first, with paging. Refetched on every mount. */
export function useAudit(filter: AuditFilterInput, skip = false) {
  const { rows, ...list } = useGrowingList(
    AuditEntriesDocument,
    { filter, after: null },
    {
      rowsOf: ({ getAuditEntries }) => getAuditEntries.nodes,
      keyOf,
      next: ({ getAuditEntries: { pageInfo } }) =>
        pageInfo.hasNextPage ? { after: pageInfo.endCursor } : undefined,
      join: (_, { getAuditEntries }, nodes) => ({ getAuditEntries: { ...getAuditEntries, nodes } }),
    },
    { fetchPolicy: 'network-only', skip },
  );
  return { lines: rows, ...list };
}

/** Whether the caller moderates a space. Only hides links; the API enforces it. */
export function useOwnSpaces(): (spaceId: string) => boolean {
  const { data } = useQuery(OwnRolesDocument, { fetchPolicy: 'cache-first' });
  const roles = data?.getStudent?.roles ?? [];
  return (spaceId) =>
    roles.some(({ role, space }) => role === 'MODERATOR' && (space === null || space === spaceId));
}
