import type { TypedDocumentNode } from '@apollo/client';
import { skipToken, useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { SearchElsewhereDocument } from '../../generated/graphql';
import { useCurrentSpace } from '../../lib/auth-storage';
import { idOf, type PagedList, useGrowingList, useListPolicy } from '../../lib/api/paged-list';
import { queryValsOf } from '../questions/question-filters';
import type { SearchFilters, SearchTab } from './search-address';

const HITS_PER_PAGE = 10;

interface Hits<Hit> {
  readonly hits: readonly Hit[];
  readonly degraded?: boolean;
}

interface Window {
  search: string;
  skip: number;
  limit: number;
}

/** Query for one kind of result, and where its hits are. */
interface SearchKind<Data, Variables, Hit> {
  document: TypedDocumentNode<Data, Variables>;
  field: keyof Data & string;
  hitsOf: (data: Data) => Hits<Hit>;
}

export interface Found<Hit> extends Omit<PagedList<Hit>, 'rows'> {
  /** Undefined until the first page has loaded; results for the previous text while loading. */
  hits: readonly Hit[] | undefined;
  isDegraded: boolean;
  /** The hits are for the previous text. */
  areStale: boolean;
}

/** Search results, ten at a time. Sends no request without a text. */
export function useHits<Data, Variables extends Window, Hit extends { _id: string }>(
  { document, field, hitsOf }: SearchKind<Data, Variables, Hit>,
  variables: Omit<Variables, 'skip' | 'limit'>,
): Found<Hit> {
  const first = { ...variables, skip: 0, limit: HITS_PER_PAGE } as Variables;
  const key = JSON.stringify(first);
  /** Total number, known once a page was not full. */
  const [all, setAll] = useState<{ key: string; count: number }>();
  const skip = variables.search === '';
  const { data, previousData, rows, loading, ...list } = useGrowingList<Data, Variables, Hit>(
    document,
    first,
    {
      rowsOf: (found) => hitsOf(found).hits,
      keyOf: idOf,
      next: (found) => {
        const { length } = hitsOf(found).hits;
        const hasMore = length >= HITS_PER_PAGE && (all?.key !== key || length < all.count);
        return hasMore ? ({ skip: length } as Partial<Variables>) : undefined;
      },
      join: (_, more, hits) => ({ ...more, [field]: { ...hitsOf(more), hits } }),
      onMore: (more) => {
        const { length } = hitsOf(more).hits;
        if (length < HITS_PER_PAGE) setAll({ key, count: (rows?.length ?? 0) + length });
      },
    },
    { ...useListPolicy(), skip },
  );
  if (skip)
    return { ...list, hits: [], isDegraded: false, areStale: false, error: undefined, hasMore: false };
  const shown = data ?? previousData;
  const found = shown && hitsOf(shown);
  return {
    ...list,
    hits: rows ?? found?.hits,
    isDegraded: found?.degraded === true,
    areStale: loading && data === undefined,
  };
}

/** Number of results of a tab, counted up to one page. */
export interface HitCount {
  count: number;
  shown: string;
}

/** Number of results per tab; undefined while loading. */
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
