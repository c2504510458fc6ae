import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';
import { announce, TITLE_END } from './announce';

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

/** By step of the history: the link that had the focus as the step was left. */
const linksLeft = new Map<string, string>();

/** For so long the list that a link stands in may take to be there again. */
const PATIENCE_MS = 5_000;

let focusedLink: string | null = null;
document.addEventListener('focusin', ({ target }) => {
  focusedLink = target instanceof Element ? (target.closest('a')?.getAttribute('href') ?? null) : null;
});

/** Neither of a screen whose successor is still loading, which stays in the document, nor of an outline. */
const isShown = (element: Element): boolean =>
  element.closest('[aria-hidden="true"], [style*="display: none"]') === null;

const firstShown = (selector: string): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>(selector)].find(isShown);

/** @returns whether the focus can be led no further */
function arrive(link: string | undefined): boolean {
  const heading = firstShown('main h1');
  const target = link === undefined ? undefined : firstShown(`main a[href="${CSS.escape(link)}"]`);
  const isFree = document.activeElement === document.body || document.activeElement === heading;
  if (isFree && heading && !target) heading.tabIndex = -1;
  if (isFree) (target ?? heading)?.focus({ preventScroll: true });
  else if (heading) announce(document.title.replace(TITLE_END, ''));
  return target !== undefined || (heading !== undefined && (link === undefined || !isFree));
}

/**
 * Where the focus goes with the screen it was on, it goes on to the heading of the next one, or after Back to the link that was followed.
 * Where it stays, in the menu for instance, the screen's title is announced. Once, around all routes.
 */
export function useRouteFocus(): void {
  const { key, pathname } = useLocation();
  const type = useNavigationType();
  const shown = useRef({ key, pathname });
  // As the next screen is drawn: once it is there, one of its fields may have taken the focus.
  const [step, setStep] = useState<{ key: string; from: string | null }>({ key, from: null });
  if (step.key !== key) setStep({ key, from: focusedLink });
  useEffect(() => {
    const left = shown.current;
    shown.current = { key, pathname };
    if (left.key === key) return undefined;
    if (step.from === null) linksLeft.delete(left.key);
    else linksLeft.set(left.key, step.from);
    let link = type === NavigationType.Pop ? linksLeft.get(key) : undefined;
    // Beside a list, Back may close what has the focus.
    const isLost = link !== undefined && document.activeElement === document.body;
    if ((left.pathname === pathname && !isLost) || arrive(link)) return undefined;
    const observer = new MutationObserver(() => arrive(link) && observer.disconnect());
    observer.observe(document.body, { childList: true, subtree: true });
    const timer = setTimeout(() => (link = undefined), PATIENCE_MS);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [key, pathname, step.from, type]);
}
