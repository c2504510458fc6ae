import { Button, Text, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithRef, MouseEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '../lib/errors';
import type { NextPage } from '../lib/paged-list';
import { focusable } from '../lib/use-one-tab-stop';

interface MoreButtonProps extends Omit<ButtonProps, 'loading'> {
  nextPage: NextPage;
  /** The button stands above its list, which grows at its start. */
  isAbove?: boolean;
}

/**
 * The way to the next page of the list before it. The focus stays on it while it loads and where that fails, and then goes on to the nearest
 * entry that came.
 */
export function MoreButton({ nextPage, isAbove = false, children, ...look }: MoreButtonProps) {
  const { isLoading, error, load } = nextPage;
  const { t } = useTranslation('shell');
  const press = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    if (isLoading) return;
    followIntoList(currentTarget, isAbove);
    load();
  };
  // The kit would disable it while it loads, and a disabled button loses the focus.
  const enabled = (root: ComponentPropsWithRef<'button'>) => (
    <button {...root} disabled={false} aria-disabled={isLoading} />
  );
  // One button for both: a notice with a button of its own in its place would lose the focus.
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

/** Outlasts the button, which goes away with the last page. */
function followIntoList(button: HTMLElement, isAbove: boolean): void {
  const list = nearestList(button, isAbove ? 'nextElementSibling' : 'previousElementSibling');
  if (!list || document.activeElement !== button) return;
  const known = new Set(list.children);
  const observer = new MutationObserver(() => {
    const fresh = [...list.children].filter((entry) => !known.has(entry));
    const nearest = fresh.at(isAbove ? -1 : 0);
    if (!(nearest instanceof HTMLElement)) return;
    observer.disconnect();
    // Where the reader has gone elsewhere meanwhile, the focus stays there.
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
  const beside = element[side];
  if (!beside) return nearestList(element.parentElement, side);
  return beside.matches(lists) ? beside : (beside.querySelector(lists) ?? nearestList(beside, side));
}
