import { skipToken, useQuery } from '@apollo/client/react';
import { SearchElsewhereDocument } from '../../generated/graphql';
import { useCurrentSpace } from '../../lib/auth-storage';
import { useListPolicy } from '../../lib/paged-list';
import { queryValsOf } from '../questions/question-filters';
import type { SearchFilters, SearchTab } from './search-address';
import { HITS_PER_PAGE } from './use-hits';

/** How much a tab has, counted as far as one page reaches. */
export interface HitCount {
  count: number;
  shown: string;
}

/** How much each tab has for this text. Undefined until it is known. */
export function useHitCounts(
  text: string,
  filters: SearchFilters,
): ((tab: SearchTab) => HitCount) | undefined {
  const space = useCurrentSpace()?._id;
  const { subject, topic } = filters;
  const policy = useListPolicy();
  const { data } = useQuery(
    SearchElsewhereDocument,
    space === undefined || text === ''
      ? skipToken
      : {
          variables: {
            search: text,
            space,
            queryVals: queryValsOf(filters, space),
            limit: HITS_PER_PAGE,
            ...(subject !== null && { subject }),
            ...(topic !== null && { topic }),
          },
          ...policy,
        },
  );
  if (!data) return undefined;
  return (tab) => {
    const count = data[tab].hits.length;
    return { count, shown: count < HITS_PER_PAGE ? String(count) : `${HITS_PER_PAGE}+` };
  };
}
