import type { ReactNode } from 'react';
import { useLoadMore, type PagedList } from '../lib/paged-list';
import { ErrorNotice } from './error-notice';
import { QuietNotice } from './quiet-notice';
import { SkeletonRows } from './skeletons';

interface LoadedRowsProps<Row, List> {
  list: List;
  /** Of the outline while the first rows load. */
  count: number;
  /** Of a row, in pixels. */
  height: number;
  empty: ReactNode;
  children: (rows: readonly Row[]) => ReactNode;
}

/** Rows once they are there; until then their outline, or why they are not. */
export function LoadedRows<Row>(
  props: LoadedRowsProps<Row, Pick<PagedList<Row>, 'rows' | 'error' | 'refetch'>>,
) {
  const { rows, error, refetch } = props.list;
  if (error && !rows) return <ErrorNotice error={error} onRetry={refetch} />;
  if (!rows) return <SkeletonRows count={props.count} height={props.height} />;
  if (rows.length === 0) return props.empty;
  return (
    <>
      {error && <QuietNotice error={error} isStale onRetry={refetch} />}
      {props.children(rows)}
    </>
  );
}

/** A list that loads its next page as its end comes near. */
export function PagedRows<Row>(props: LoadedRowsProps<Row, PagedList<Row>>) {
  const { list, height, children } = props;
  return (
    <LoadedRows {...props}>
      {(rows) => (
        <>
          {children(rows)}
          <ListEnd list={list} loading={<SkeletonRows count={1} isMore height={height} />} />
        </>
      )}
    </LoadedRows>
  );
}

interface ListEndProps {
  list: Pick<PagedList<unknown>, 'hasMore' | 'nextPage'>;
  loading: ReactNode;
}

export function ListEnd({ list, loading }: ListEndProps) {
  const { hasMore, nextPage } = list;
  const end = useLoadMore(list);
  return (
    <>
      <div ref={end} />
      {nextPage.error !== undefined && <ErrorNotice error={nextPage.error} onRetry={nextPage.load} />}
      {hasMore && nextPage.error === undefined && loading}
    </>
  );
}
