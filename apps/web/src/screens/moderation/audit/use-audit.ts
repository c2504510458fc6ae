import {
  AuditEntriesDocument,
  type AuditFilterInput,
  type AuditLineFragment,
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
