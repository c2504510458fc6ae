import type { OperationVariables, TypedDocumentNode, WatchQueryFetchPolicy } from '@apollo/client';
import { skipToken, useApolloClient, useQuery } from '@apollo/client/react';
import { useCallback, useEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { NavigationType, useNavigationType } from 'react-router-dom';
import { useOnRecovery } from './connection';

/** Loading of the next page, one attempt at a time. */
export interface NextPage {
  isLoading: boolean;
  /** Error of the last attempt. */
  error: unknown;
  load: () => void;
}

export interface PagedList<Row> {
  /** Loaded rows; undefined until the first page has arrived. */
  rows: readonly Row[] | undefined;
  /** Error of loading or refreshing the list. */
  error: Error | undefined;
  refetch: () => void;
  hasMore: boolean;
  nextPage: NextPage;
}

/** Combines the answers of a query into one list. */
interface ListParts<Data, Variables, Row> {
  rowsOf: (data: Data) => readonly Row[];
  keyOf: (row: Row) => string;
  /** Variables of the next page; undefined after the last. */
  next: (data: Data) => Partial<Variables> | undefined;
  /** The next answer, holding all rows. */
  join: (loaded: Data, more: Data, rows: Row[]) => Data;
  onMore?: (more: Data) => void;
}

interface ListOptions {
  fetchPolicy?: WatchQueryFetchPolicy;
  nextFetchPolicy?: WatchQueryFetchPolicy;
  notifyOnNetworkStatusChange?: boolean;
  skip?: boolean;
  /** A new visit also finds the list as it was left, not only Back. */
  isKept?: boolean;
}

/** Keeps the list, further pages included, for readers who come back; everyone else gets a fresh one. */
export function useListPolicy() {
  const type = useNavigationType();
  const [isReturning] = useState(type === NavigationType.Pop);
  return {
    fetchPolicy: isReturning ? 'cache-first' : 'cache-and-network',
    nextFetchPolicy: 'cache-first',
  } as const;
}

/** Refetches at each visit, as staff need it. */
export const refetchOnMount = { fetchPolicy: 'network-only', nextFetchPolicy: 'cache-first' } as const;

type Page = { readonly docs: readonly { readonly _id: string }[]; readonly page: number } & (
  | { readonly hasNext: boolean }
  | { readonly totalPages: number }
);

export const idOf = ({ _id }: { readonly _id: string }): string => _id;

const hasNext = (list: Page): boolean => ('hasNext' in list ? list.hasNext : list.page < list.totalPages);

/**
 * A list with numbered pages.
 * @param field of the answer that has the page
 * @param further variables of the pages after the first
 */
export function usePagedList<
  Field extends string,
  Data extends Record<Field, Page>,
  Variables extends OperationVariables & { page?: number | null },
>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
  field: Field,
  options: ListOptions,
  further: Partial<Variables> = {},
) {
  type Row = Data[Field]['docs'][number];
  return useGrowingList<Data, Variables, Row>(
    query,
    variables,
    {
      rowsOf: (data) => data[field].docs,
      keyOf: idOf,
      next: (data) => (hasNext(data[field]) ? { ...further, page: data[field].page + 1 } : undefined),
      join: (loaded, more, docs) => ({ ...loaded, [field]: { ...more[field], docs } }),
    },
    options,
  );
}

/**
 * A list with all pages loaded so far. A refetch reads the first page and then the others; old rows stay meanwhile,
 * so the scroll position is kept.
 */
export function useGrowingList<Data, Variables extends OperationVariables, Row>(
  query: TypedDocumentNode<Data, Variables>,
  variables: NoInfer<Variables>,
  parts: ListParts<Data, Variables, Row>,
  { skip = false, isKept = false, ...options }: ListOptions,
) {
  const result = useQuery(query, skip ? skipToken : { variables, ...options });
  const { data, error, refetch } = result;
  const list = JSON.stringify(variables);
  const nextVariables = data && parts.next(data);
  const readMore = useMore(query, variables);
  const fetchNext = async () => {
    if (!nextVariables) return;
    const more = await readMore(nextVariables, (loaded, next) => {
      // The list was refetched meanwhile and is shorter, so these rows no longer follow.
      if (JSON.stringify(parts.next(loaded)) !== JSON.stringify(nextVariables)) return loaded;
      return parts.join(loaded, next, mergeRows(parts.rowsOf(loaded), parts.rowsOf(next), parts.keyOf));
    });
    if (more) parts.onMore?.(more);
  };
  const nextPage = useNextPage(list, fetchNext);
  const loaded = data && parts.rowsOf(data);
  const { isShort, before, unfold } = useLength(list, loaded, nextVariables !== undefined, isKept);
  useFollow(isShort ? loaded : undefined, nextPage);
  const { keyOf } = parts;
  return {
    ...result,
    rows: useMemo(
      () => (isShort && loaded && before ? withRest(loaded, before, keyOf) : loaded),
      [isShort, loaded, before, keyOf],
    ),
    error,
    // Shown as `error`.
    refetch: useCallback(() => void refetch().catch(() => undefined), [refetch]),
    hasMore: nextVariables !== undefined,
    nextPage: {
      ...nextPage,
      load: () => {
        unfold();
        nextPage.load();
      },
    },
  };
}

/** Rows of both, without duplicates. The latest version of a row wins. */
export function mergeRows<Row>(
  loaded: readonly Row[],
  next: readonly Row[],
  keyOf: (row: Row) => string,
): Row[] {
  return [...new Map([...loaded, ...next].map((row) => [keyOf(row), row])).values()];
}

/** The latest rows, followed by the older ones that are not among them. */
export function withRest<Row>(
  rows: readonly Row[],
  rest: readonly Row[],
  keyOf: (row: Row) => string,
): Row[] {
  const keys = new Set(rows.map(keyOf));
  return [...rows, ...rest.filter((row) => !keys.has(keyOf(row)))];
}

/** Whether there were more rows than were just read, and those rows. */
function useLength<Row>(list: string, rows: readonly Row[] | undefined, hasMore: boolean, isKept: boolean) {
  const isBackNavigation = useNavigationType() === NavigationType.Pop;
  const [latest, setLatest] = useState<{ list: string; minLength: number; rows: readonly Row[] }>();
  const known = latest?.list === list ? latest : undefined;
  const atFirst = isKept || isBackNavigation ? (rows?.length ?? 0) : 0;
  const { minLength, rows: before } = known ?? { minLength: atFirst };
  const isShort = hasMore && rows !== undefined && rows.length < minLength;
  if (rows !== undefined && rows !== before && !isShort) setLatest({ list, minLength, rows });
  const unfold = () =>
    setLatest((now) => now && { ...now, minLength: Math.max(now.minLength, now.rows.length + 1) });
  return { isShort, before, unfold };
}

/**
 * Loads the page after these rows once: the reader may already have triggered it, and the screen lags slightly behind
 * the data.
 */
function useFollow(rows: readonly unknown[] | undefined, { isLoading, error, load }: NextPage): void {
  const followed = useRef<readonly unknown[]>();
  const wasLoading = useRef(false);
  useEffect(() => {
    if (isLoading && !wasLoading.current) followed.current = rows;
    wasLoading.current = isLoading;
    if (!rows || isLoading || error !== undefined || followed.current === rows) return;
    followed.current = rows;
    load();
  });
}

/**
 * Loads more of a list and appends it to that same list. The client's own `fetchMore` would append a late answer to
 * the list that has replaced it.
 */
export function useMore<Data, Variables extends OperationVariables>(
  query: TypedDocumentNode<Data, Variables>,
  variables: Variables,
) {
  const client = useApolloClient();
  return async (
    next: Partial<Variables>,
    join: (loaded: Data, more: Data) => Data,
  ): Promise<Data | undefined> => {
    const { data: more } = await client.query({
      query,
      variables: { ...variables, ...next },
      fetchPolicy: 'no-cache',
    });
    if (more) client.cache.updateQuery({ query, variables }, (loaded) => loaded && join(loaded, more));
    return more;
  };
}

interface Attempt {
  list: string;
  isLoading: boolean;
  error?: unknown;
}

/**
 * Fetches a page at a time and keeps the error until the next attempt. Retries when the server is back.
 * @param list key of the list: an error of another list does not count
 */
export function useNextPage(list: string, fetchPage: () => Promise<unknown>): NextPage {
  const [latest, setLatest] = useState<Attempt>();
  const attempt = latest?.list === list ? latest : undefined;
  const isLoading = attempt?.isLoading ?? false;
  const settle = (error?: unknown) =>
    setLatest((current) => (current?.list === list ? { list, isLoading: false, error } : current));
  const load = () => {
    if (isLoading) return;
    setLatest({ list, isLoading: true });
    fetchPage().then(() => settle(), settle);
  };
  useOnRecovery(attempt?.error !== undefined, load);
  return { isLoading, error: attempt?.error, load };
}

/** Distance from the end at which the next page is requested. */
const LOAD_AHEAD_MARGIN = '600px';

/** Loads the next page when this element, at the end of the list, comes near the viewport. */
export function useLoadMore({
  hasMore,
  nextPage,
}: Pick<PagedList<unknown>, 'hasMore' | 'nextPage'>): RefObject<HTMLDivElement> {
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(nextPage.load);
  useEffect(() => {
    latest.current = nextPage.load;
  });
  const isOpen = hasMore && nextPage.error === undefined && !nextPage.isLoading;
  useEffect(() => {
    if (!isOpen || !end.current) return undefined;
    const observer = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && latest.current(),
      { rootMargin: LOAD_AHEAD_MARGIN },
    );
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [isOpen]);
  return end;
}
