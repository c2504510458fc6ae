import { useEffect, type RefObject } from 'react';
import { useShortcuts } from './use-shortcuts';
import { contentId } from '../../lib/browser/focus';

interface ListKeys {
  /** Moving through the list also opens each item next to it. */
  choosesOnWalk?: boolean;
  /** Opens the selected item; defaults to following the focused link. */
  open?: (() => void) | undefined;
}

/** ID of the pane next to such a list. */
export const detailPaneId = 'detail-pane';

/** Before the pane closes, moves the focus from it to the selected link. */
export function focusChosen(): void {
  const isElsewhere = document.activeElement?.closest(`#${detailPaneId}`) === null;
  if (isElsewhere && document.activeElement !== document.body) return;
  const chosen = document.querySelector<HTMLElement>('[data-list-link][aria-current="true"]');
  (chosen ?? document.getElementById(contentId))?.focus({ preventScroll: true });
}

/** Enter on a link focuses the pane, which Tab would only reach after the last link of an endless list. */
function useFocusPane(list: RefObject<HTMLElement>, isOn: boolean): void {
  useEffect(() => {
    const element = list.current;
    if (!isOn || !element) return undefined;
    // Pointer clicks have a count in `detail`, and clicks by J and K are not trusted.
    const follow = ({ target, detail, isTrusted }: MouseEvent) => {
      if (detail !== 0 || !isTrusted) return;
      if (target instanceof Element && target.closest('[data-list-link]'))
        setTimeout(() => document.getElementById(detailPaneId)?.focus({ preventScroll: true }));
    };
    element.addEventListener('click', follow);
    return () => element.removeEventListener('click', follow);
  });
}

/** J and K move through the links of a list (`data-list-link`), O opens one. */
export function useListKeys(
  list: RefObject<HTMLElement>,
  { choosesOnWalk = false, open }: ListKeys = {},
): void {
  useFocusPane(list, choosesOnWalk);
  const links = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-list-link]') ?? [])];
  const walk = (step: 1 | -1) => {
    const all = links();
    const focused = all.findIndex((link) => link === document.activeElement);
    const at =
      focused === -1 ? all.findIndex((link) => link.getAttribute('aria-current') === 'true') : focused;
    const next = all[at + step];
    if (!next) return;
    next.focus({ preventScroll: true });
    (next.closest('li') ?? next).scrollIntoView({ block: 'nearest' });
    if (choosesOnWalk) next.click();
  };
  useShortcuts({
    next: () => walk(1),
    previous: () => walk(-1),
    open:
      open ??
      (() =>
        links()
          .find((link) => link === document.activeElement)
          ?.click()),
  });
}
