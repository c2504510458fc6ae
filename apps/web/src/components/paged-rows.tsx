import { Button, type ButtonProps, Text } from '@mantine/core';
import type { ComponentPropsWithRef, MouseEvent, ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../lib/api/errors';
import { type NextPage, type PagedList, useLoadMore } from '../lib/api/paged-list';
import { focusable } from '../lib/browser/use-one-tab-stop';
import { ErrorNotice, QuietNotice } from './notices';
import { SkeletonRows } from './skeletons';

interface LoadedRowsProps<Row, List> {
  list: List;
  /** Number of skeleton rows. */
  count: number;
  /** Height of a row, in pixels. */
  height: number;
  empty: ReactNode;
  children: (rows: readonly Row[]) => ReactNode;
}

/** Rows once loaded; until then skeletons, or the error. */
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

/** A list that loads its next page near its end. */
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

interface MoreButtonProps extends Omit<ButtonProps, 'loading'> {
  nextPage: NextPage;
  /** Without a next page there is no button. */
  hasMore?: boolean;
  /** The button is above its list, which grows at the start. */
  isAbove?: boolean;
}

/**
 * Loads the next or previous page. The focus stays on the button while loading and on failure, and then moves to the
 * nearest new entry.
 */
export function MoreButton({
  nextPage,
  hasMore = true,
  isAbove = false,
  children,
  ...look
}: MoreButtonProps) {
  const { isLoading, error, load } = nextPage;
  const { t } = useTranslation('shell');
  const press = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    if (isLoading) return;
    followIntoList(currentTarget, isAbove);
    load();
  };
  if (!hasMore) return null;
  // The kit would disable it while loading, and a disabled button loses the focus.
  const enabled = (root: ComponentPropsWithRef<'button'>) => (
    <button {...root} disabled={false} aria-disabled={isLoading} />
  );
  // One button for both: replacing it by a notice with its own button would lose the focus.
  return (
    <>
      {error !== undefined && (
        <Text role="alert" size="sm" ta="center" mb={6} c="var(--nimo-danger)">
          {errorText(error)}
        </Text>
      )}
      <Button variant="default" {...look} loading={isLoading} onClick={press} renderRoot={enabled}>
        {error === undefined ? children : t('action.retry')}
      </Button>
    </>
  );
}

/** Outlives the button, which disappears with the last page. */
function followIntoList(button: HTMLElement, isAbove: boolean): void {
  const list = nearestList(button, isAbove ? 'nextElementSibling' : 'previousElementSibling');
  if (!list || document.activeElement !== button) return;
  const known = new Set(list.children);
  const observer = new MutationObserver(() => {
    const fresh = [...list.children].filter((entry) => !known.has(entry));
    const nearest = fresh.at(isAbove ? -1 : 0);
    if (!(nearest instanceof HTMLElement)) return;
    observer.disconnect();
    // If the reader has moved the focus meanwhile, leave it.
    if (document.activeElement !== button && document.activeElement !== document.body) return;
    const control = nearest.querySelector<HTMLElement>(focusable);
    if (!control) nearest.tabIndex = -1;
    (control ?? nearest).focus();
  });
  observer.observe(list, { childList: true });
}

const lists = 'ul, ol, tbody, [data-accordion]';

function nearestList(
  element: Element | null,
  side: 'previousElementSibling' | 'nextElementSibling',
): Element | null {
  if (!element) return null;
  const sibling = element[side];
  if (!sibling) return nearestList(element.parentElement, side);
  return sibling.matches(lists) ? sibling : (sibling.querySelector(lists) ?? nearestList(sibling, side));
}
