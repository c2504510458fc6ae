import { useEffect, type RefObject } from 'react';
import { useShortcuts } from './use-shortcuts';
import { contentId } from '../../lib/browser/focus';

interface ListKeys {
  /** The links of such lists only choose what is shown beside them, so that walking the list shows it. */
  choosesOnWalk?: boolean;
  /** Opens what is chosen; without it the focused link is followed. */
  open?: (() => void) | undefined;
}

/** The id of what such a list shows beside it. */
export const besideListId = 'beside-list';

/** Leads the focus from what is shown beside a list to the link that chose it, before it closes. */
export function focusChosen(): void {
  const isElsewhere = document.activeElement?.closest(`#${besideListId}`) === null;
  if (isElsewhere && document.activeElement !== document.body) return;
  const chosen = document.querySelector<HTMLElement>('[data-list-link][aria-current="true"]');
  (chosen ?? document.getElementById(contentId))?.focus({ preventScroll: true });
}

/** Enter on a link leads on to what it shows: the Tab key would get there only behind the last link of a list that goes on. */
function useFocusBeside(list: RefObject<HTMLElement>, isOn: boolean): void {
  useEffect(() => {
    const element = list.current;
    if (!isOn || !element) return undefined;
    // A pointer counts its clicks, and those of j and k are none of a person's.
    const follow = ({ target, detail, isTrusted }: MouseEvent) => {
      if (detail !== 0 || !isTrusted) return;
      if (target instanceof Element && target.closest('[data-list-link]'))
        setTimeout(() => document.getElementById(besideListId)?.focus({ preventScroll: true }));
    };
    element.addEventListener('click', follow);
    return () => element.removeEventListener('click', follow);
  });
}

/** j and k walk the links of a list (`data-list-link`), o opens one. */
export function useListKeys(
  list: RefObject<HTMLElement>,
  { choosesOnWalk = false, open }: ListKeys = {},
): void {
  useFocusBeside(list, choosesOnWalk);
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
