import { useEffect, useMemo, useRef, useState } from 'react';
import { NavigationType, useNavigationType } from 'react-router-dom';
import { useNextPage, type NextPage } from './use-next-page';

interface Row {
  readonly _id: string;
}

interface ReadList<R extends Row> {
  /** Tells one list from another. */
  list: string;
  /** As read last; undefined until then. */
  rows: readonly R[] | undefined;
  hasMore: boolean;
  fetchNext: () => Promise<unknown>;
  /** A new visit also finds it as long as it was left, not only Back. */
  isKept?: boolean;
}

interface Unfolded<R extends Row> {
  rows: readonly R[] | undefined;
  nextPage: NextPage;
}

/**
 * A list with all that was unfolded of it. To read it again is to read its first page: the others follow by themselves, and their rows stay
 * meanwhile, so that nobody is thrown up the list.
 */
export function useUnfolded<R extends Row>(read: ReadList<R>): Unfolded<R> {
  const nextPage = useNextPage(read.list, read.fetchNext);
  const { isShort, before, unfold } = useLength(read);
  useFollow(isShort ? read.rows : undefined, nextPage);
  const { rows } = read;
  return {
    rows: useMemo(() => (isShort && rows && before ? withRest(rows, before) : rows), [isShort, rows, before]),
    nextPage: {
      ...nextPage,
      load: () => {
        unfold();
        nextPage.load();
      },
    },
  };
}

/** Whether there were more rows than were read last, and those that there were. */
function useLength<R extends Row>({ list, rows, hasMore, isKept = false }: ReadList<R>) {
  const cameBack = useNavigationType() === NavigationType.Pop;
  const [latest, setLatest] = useState<{ list: string; wanted: number; rows: readonly R[] }>();
  const known = latest?.list === list ? latest : undefined;
  const atFirst = isKept || cameBack ? (rows?.length ?? 0) : 0;
  const { wanted, rows: before } = known ?? { wanted: atFirst };
  const isShort = hasMore && rows !== undefined && rows.length < wanted;
  if (rows !== undefined && rows !== before && !isShort) setLatest({ list, wanted, rows });
  const unfold = () =>
    setLatest((now) => now && { ...now, wanted: Math.max(now.wanted, now.rows.length + 1) });
  return { isShort, before, unfold };
}

/** Loads the page behind these rows, once: its reader may have begun to, and what is read is shown a little later than it is there. */
function useFollow(rows: readonly Row[] | undefined, { isLoading, error, load }: NextPage): void {
  const followed = useRef<readonly Row[]>();
  const wasLoading = useRef(false);
  useEffect(() => {
    if (isLoading && !wasLoading.current) followed.current = rows;
    wasLoading.current = isLoading;
    if (!rows || isLoading || error !== undefined || followed.current === rows) return;
    followed.current = rows;
    load();
  });
}

function withRest<R extends Row>(rows: readonly R[], rest: readonly R[]): readonly R[] {
  const ids = new Set(rows.map(({ _id }) => _id));
  return [...rows, ...rest.filter(({ _id }) => !ids.has(_id))];
}
