import { useEffect, useLayoutEffect, useRef, type RefObject } from 'react';

/** The id of every screen's main part. */
export const contentId = 'content';

/** What would open a dialog from there: the focused element, or the button of the menu that it is an item of. */
function openerOf(focused: EventTarget | null): HTMLElement | null {
  if (!(focused instanceof HTMLElement) || focused === document.body) return null;
  const menu = focused.closest('[role="menu"]');
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : focused;
}

// Asked for at the moment of the focus: a menu is gone by the time its dialog is there.
let lastOpener: HTMLElement | null = null;
document.addEventListener('focusin', ({ target }) => {
  lastOpener = openerOf(target);
});

/** The element and the named parts of the page around it, from the inside out: a post that is deleted leaves its list, or its section. */
function placesOf(element: HTMLElement | null): readonly HTMLElement[] {
  const places: HTMLElement[] = [];
  for (let part = element; part; part = part.parentElement)
    if (part === element || part.matches('main, article, [aria-label], [aria-labelledby]')) places.push(part);
  return places;
}

/**
 * Brings the focus back to where it was when a dialog goes, or to what is left around that. The kit's own way misses dialogs that are mounted
 * open, those that a menu opens, and all where nothing moves.
 */
export function useFocusReturn(isOpen = true): void {
  const places = useRef<readonly HTMLElement[]>([]);
  const wasOpen = useRef(false);
  // Before anything inside takes the focus.
  if (isOpen && !wasOpen.current) places.current = placesOf(lastOpener);
  wasOpen.current = isOpen;
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    return () => {
      // Once everything of this commit has left: the opener may be among it.
      setTimeout(() => {
        const target =
          places.current.find(({ isConnected }) => isConnected) ?? document.getElementById(contentId);
        if (target !== places.current[0] && !target?.hasAttribute('tabindex'))
          target?.setAttribute('tabindex', '-1');
        target?.focus({ preventScroll: true });
      });
    };
  }, [isOpen]);
}

/** Moves the focus here if the focused element has just left the page, as when a form is replaced by its answer. */
export function useFocusOfGone<T extends HTMLElement>(): RefObject<T> {
  const ref = useRef<T>(null);
  useEffect(() => {
    if (lastOpener?.isConnected === false && document.activeElement === document.body)
      ref.current?.focus({ preventScroll: true });
  }, []);
  return ref;
}
