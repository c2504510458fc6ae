import type { RefObject } from 'react';
import { useShortcuts } from './use-shortcuts';

interface ListKeys {
  /** The links of such lists only choose what is shown beside them, so that walking the list shows it. */
  choosesOnWalk?: boolean;
  /** Opens what is chosen; without it the focused link is followed. */
  open?: (() => void) | undefined;
}

/** j and k walk the links of a list (`data-list-link`), o opens one. */
export function useListKeys(
  list: RefObject<HTMLElement>,
  { choosesOnWalk = false, open }: ListKeys = {},
): void {
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
