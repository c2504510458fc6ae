import { useEffect, useRef, useState } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';
import { announce } from './announce';
import { TITLE_END } from './use-screen-title';

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
