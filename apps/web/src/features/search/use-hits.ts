import { skipToken, useQuery } from '@apollo/client/react';
import type { TypedDocumentNode } from '@apollo/client';
import { useState } from 'react';
import { mergePages } from '../../lib/merge-pages';
import { useListPolicy } from '../../lib/use-list-policy';
import { useMore } from '../../lib/use-more';
import type { NextPage } from '../../lib/use-next-page';
import { useUnfolded } from '../../lib/use-unfolded';

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
  nextPage: NextPage;
}

const nothing: readonly never[] = [];

/** What is found, ten at a time. Without a text nothing is found, and nothing is asked. */
export function useHits<Data, Variables extends Window, Hit extends { _id: string }>(
  kind: SearchKind<Data, Variables, Hit>,
  variables: Omit<Variables, 'skip' | 'limit'>,
): Found<Hit> {
  const { document, hitsOf } = kind;
  const policy = useListPolicy();
  const first = { ...variables, skip: 0, limit: HITS_PER_PAGE } as Variables;
  const result = useQuery(document, variables.search === '' ? skipToken : { variables: first, ...policy });
  const found = result.data && hitsOf(result.data);
  const before = result.previousData && hitsOf(result.previousData);
  const { rows, hasMore, nextPage } = useAllHits(kind, first, found?.hits);
  if (variables.search === '') return { ...nowhere, nextPage };
  return {
    hits: rows ?? before?.hits,
    isDegraded: (found ?? before)?.degraded === true,
    areStale: result.loading && result.data === undefined,
    error: result.error,
    refetch: () => void result.refetch(),
    hasMore,
    nextPage,
  };
}

/** The hits so far, and the way to the next ten. */
function useAllHits<Data, Variables extends Window, Hit extends { _id: string }>(
  { document, field, hitsOf }: SearchKind<Data, Variables, Hit>,
  first: Variables,
  hits: readonly Hit[] | undefined,
) {
  const key = JSON.stringify(first);
  const readMore = useMore(document, first);
  /** How many there are, once a page was not full. */
  const [all, setAll] = useState<{ key: string; count: number }>();
  const loaded = hits?.length ?? 0;
  const hasMore = loaded >= HITS_PER_PAGE && (all?.key !== key || loaded < all.count);
  // Read again meanwhile, the list is shorter, and these do not follow.
  const join = (known: Data, more: Data): Data => {
    const [before, after] = [hitsOf(known).hits, hitsOf(more)];
    return before.length === loaded
      ? { ...more, [field]: { ...after, hits: mergePages(before, after.hits) } }
      : known;
  };
  const unfolded = useUnfolded({
    list: key,
    rows: hits,
    hasMore,
    fetchNext: async () => {
      const next = await readMore({ skip: loaded } as Partial<Variables>, join);
      const count = next ? hitsOf(next).hits.length : 0;
      if (count < HITS_PER_PAGE) setAll({ key, count: loaded + count });
    },
  });
  return { ...unfolded, hasMore };
}

const nowhere = {
  hits: nothing,
  isDegraded: false,
  areStale: false,
  error: undefined,
  refetch: () => undefined,
  hasMore: false,
} as const;
