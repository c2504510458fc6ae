import { Button, type ButtonProps } from '@mantine/core';
import type { ComponentPropsWithRef, MouseEvent } from 'react';
import { focusable } from '../lib/use-one-tab-stop';

interface MoreButtonProps extends Omit<ButtonProps, 'loading'> {
  isLoading: boolean;
  onMore: () => void;
}

/** The way to the next page of the list before it. The focus stays on it while it loads, and then goes on to the first entry that came. */
export function MoreButton({ isLoading, onMore, ...look }: MoreButtonProps) {
  const press = ({ currentTarget }: MouseEvent<HTMLButtonElement>) => {
    if (isLoading) return;
    followIntoList(currentTarget);
    onMore();
  };
  // The kit would disable it while it loads, and a disabled button loses the focus.
  const enabled = (root: ComponentPropsWithRef<'button'>) => (
    <button {...root} disabled={false} aria-disabled={isLoading} />
  );
  return <Button variant="default" {...look} loading={isLoading} onClick={press} renderRoot={enabled} />;
}

/** Outlasts the button, which goes away with the last page. */
function followIntoList(button: HTMLElement): void {
  const list = listBefore(button);
  if (!list || document.activeElement !== button) return;
  const known = new Set(list.children);
  const observer = new MutationObserver(() => {
    const first = [...list.children].find((entry) => !known.has(entry));
    if (!(first instanceof HTMLElement)) return;
    observer.disconnect();
    // Where the reader has gone elsewhere meanwhile, the focus stays there.
    if (document.activeElement !== button && document.activeElement !== document.body) return;
    const control = first.querySelector<HTMLElement>(focusable);
    if (!control) first.tabIndex = -1;
    (control ?? first).focus();
  });
  observer.observe(list, { childList: true });
}

const lists = 'ul, ol, tbody';

function listBefore(element: Element | null): Element | null {
  if (!element) return null;
  const before = element.previousElementSibling;
  if (!before) return listBefore(element.parentElement);
  return before.matches(lists) ? before : (before.querySelector(lists) ?? listBefore(before));
}
