import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';
import { announce, TITLE_END } from './announce';

/** The id of every screen's main element. */
export const contentId = 'content';

/** The element that would open a dialog: the focused one, or the button of the menu it belongs to. */
function openerOf(focused: EventTarget | null): HTMLElement | null {
  if (!(focused instanceof HTMLElement) || focused === document.body) return null;
  const menu = focused.closest('[role="menu"]');
  return menu ? document.getElementById(menu.getAttribute('aria-labelledby') ?? '') : focused;
}

// Resolved at focus time: the menu has gone by the time its dialog opens.
let lastOpener: HTMLElement | null = null;
document.addEventListener('focusin', ({ target }) => {
  lastOpener = openerOf(target);
});

/** The element and its labelled ancestors, innermost first: when a post is deleted, its list or section remains. */
function focusCandidates(element: HTMLElement | null): readonly HTMLElement[] {
  const places: HTMLElement[] = [];
  for (let part = element; part; part = part.parentElement)
    if (part === element || part.matches('main, article, [aria-label], [aria-labelledby]')) places.push(part);
  return places;
}

/**
 * Returns the focus to the opener when a dialog closes, or to what remains around it. The kit's own handling misses
 * dialogs mounted open, those opened from a menu, and reduced motion.
 */
export function useFocusReturn(isOpen = true): void {
  const places = useRef<readonly HTMLElement[]>([]);
  const wasOpen = useRef(false);
  // Before anything inside takes the focus.
  if (isOpen && !wasOpen.current) places.current = focusCandidates(lastOpener);
  wasOpen.current = isOpen;
  useLayoutEffect(() => {
    if (!isOpen) return undefined;
    return () => {
      // After the whole commit, which may also have removed the opener.
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

/** Moves the focus here if the focused element has just been removed, for example a form replaced by its result. */
export function useFocusAfterRemoval<T extends HTMLElement>(): RefObject<T> {
  const ref = useRef<T>(null);
  useEffect(() => {
    if (lastOpener?.isConnected === false && document.activeElement === document.body)
      ref.current?.focus({ preventScroll: true });
  }, []);
  return ref;
}

/** By history entry: the link that had the focus when the entry was left. */
const linksLeft = new Map<string, string>();

/** How long to wait for the link's list to be there again. */
const TIMEOUT_MS = 5_000;

let focusedLink: string | null = null;
document.addEventListener('focusin', ({ target }) => {
  focusedLink = target instanceof Element ? (target.closest('a')?.getAttribute('href') ?? null) : null;
});

/** Neither a suspended screen, which stays in the document, nor a skeleton. */
const isShown = (element: Element): boolean =>
  element.closest('[aria-hidden="true"], [style*="display: none"]') === null;

const firstShown = (selector: string): HTMLElement | undefined =>
  [...document.querySelectorAll<HTMLElement>(selector)].find(isShown);

/** @returns whether the search for a focus target is over */
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
 * When navigation removes the focused element, focuses the next screen's heading or, after Back, the link that was
 * followed. When the focus survives, as in the menu, announces the screen's title. Mounted once around all routes.
 */
export function useRouteFocus(): void {
  const { key, pathname } = useLocation();
  const type = useNavigationType();
  const shown = useRef({ key, pathname });
  // Before the next screen is drawn: one of its fields may take the focus afterwards.
  const [step, setStep] = useState<{ key: string; from: string | null }>({ key, from: null });
  if (step.key !== key) setStep({ key, from: focusedLink });
  useEffect(() => {
    const left = shown.current;
    shown.current = { key, pathname };
    if (left.key === key) return undefined;
    if (step.from === null) linksLeft.delete(left.key);
    else linksLeft.set(left.key, step.from);
    let link = type === NavigationType.Pop ? linksLeft.get(key) : undefined;
    // Next to a list, Back may close the focused panel.
    const isLost = link !== undefined && document.activeElement === document.body;
    if ((left.pathname === pathname && !isLost) || arrive(link)) return undefined;
    const observer = new MutationObserver(() => arrive(link) && observer.disconnect());
    observer.observe(document.body, { childList: true, subtree: true });
    const timer = setTimeout(() => (link = undefined), TIMEOUT_MS);
    return () => {
      observer.disconnect();
      clearTimeout(timer);
    };
  }, [key, pathname, step.from, type]);
}
