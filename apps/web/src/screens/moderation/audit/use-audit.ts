import { useQuery } from '@apollo/client/react';
import {
  AuditEntriesDocument,
  type AuditFilterInput,
  type AuditLineFragment,
  OwnRolesDocument,
} from '../../../generated/graphql';
import { useGrowingList } from '../../../lib/api/paged-list';

/** One event may have several lines: the votes that a case was about. */
const keyOf = ({ ordinal, line }: AuditLineFragment): string => `${ordinal} ${line}`;

/** The lines loaded so far, newest first, and the way to older ones. Read again whenever it is opened. */
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

/** Whether the caller moderates a space, to offer no other; the api decides. */
export function useOwnSpaces(): (spaceId: string) => boolean {
  const { data } = useQuery(OwnRolesDocument, { fetchPolicy: 'cache-first' });
  const roles = data?.getStudent?.roles ?? [];
  return (spaceId) =>
    roles.some(({ role, space }) => role === 'MODERATOR' && (space === null || space === spaceId));
}
