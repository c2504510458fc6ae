import { skipToken, useQuery } from '@apollo/client/react';
import type { TypedDocumentNode } from '@apollo/client';
import { useState } from 'react';
import { mergePages } from '../../lib/merge-pages';
import { useListPolicy } from '../../lib/use-list-policy';
import { useNextPage } from '../../lib/use-next-page';

export const HITS_PER_PAGE = 10;

interface Hits<Hit> {
  readonly hits: readonly Hit[];
  readonly degraded?: boolean;
}

interface Window {
  search: string;
  skip: number;
  limit: number;
}

/** How one kind of thing is searched: its operation, and where the answer keeps the hits. */
interface SearchKind<Data, Variables, Hit> {
  document: TypedDocumentNode<Data, Variables>;
  field: keyof Data & string;
  hitsOf: (data: Data) => Hits<Hit>;
}

export interface Found<Hit> {
  /** Undefined until the first ten are there; those of the text before while the new ones are on their way. */
  hits: readonly Hit[] | undefined;
  isDegraded: boolean;
  /** Those of the text before, until the new ones are there. */
  areStale: boolean;
  error: Error | undefined;
  refetch: () => void;
  hasMore: boolean;
  nextPage: ReturnType<typeof useNextPage>;
}

const nothing: readonly never[] = [];

/** What is found, ten at a time. Without a text nothing is found, and nothing is asked. */
export function useHits<Data, Variables extends Window, Hit extends { _id: string }>(
  { document, field, hitsOf }: SearchKind<Data, Variables, Hit>,
  variables: Omit<Variables, 'skip' | 'limit'>,
): Found<Hit> {
  const policy = useListPolicy();
  const key = JSON.stringify(variables);
  const first = { ...variables, skip: 0, limit: HITS_PER_PAGE } as Variables;
  const options = { variables: first, ...policy };
  const result = useQuery(document, variables.search === '' ? skipToken : options);
  const [exhausted, setExhausted] = useState<string>();
  const shown = result.data ?? result.previousData;
  const found = shown === undefined ? undefined : hitsOf(shown);
  const loaded = found?.hits.length ?? 0;
  const nextPage = useNextPage(key, async () => {
    const { data: next } = await result.fetchMore({
      variables: { skip: loaded } as Partial<Variables>,
      updateQuery: (previous, { fetchMoreResult }) => {
        const hits = mergePages(hitsOf(previous).hits, hitsOf(fetchMoreResult).hits);
        return { ...fetchMoreResult, [field]: { ...hitsOf(fetchMoreResult), hits } };
      },
    });
    if (next === undefined || hitsOf(next).hits.length < HITS_PER_PAGE) setExhausted(key);
  });
  if (variables.search === '') return { ...nowhere, nextPage };
  return {
    hits: found?.hits,
    isDegraded: found?.degraded === true,
    areStale: result.loading && result.data === undefined,
    error: result.error,
    refetch: () => void result.refetch(),
    hasMore: result.data !== undefined && loaded >= HITS_PER_PAGE && exhausted !== key,
    nextPage,
  };
}

const nowhere = {
  hits: nothing,
  isDegraded: false,
  areStale: false,
  error: undefined,
  refetch: () => undefined,
  hasMore: false,
} as const;
