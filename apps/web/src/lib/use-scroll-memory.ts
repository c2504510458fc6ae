import { useEffect, useLayoutEffect, useRef } from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

/** By step of the history: two looks at the same page are two places. */
const positions = new Map<string, number>();

/** For so long a list may take to be as long again as it was. */
const PATIENCE_MS = 5_000;
const BY_HAND = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

/** Scrolls there, as soon as the page is long enough; whoever scrolls by hand meanwhile stays where they are. */
function scrollWhenLongEnough(top: number): () => void {
  const go = () => {
    window.scrollTo({ top });
    return document.documentElement.scrollHeight >= top + window.innerHeight;
  };
  if (go() || top === 0) return () => undefined;
  const observer = new ResizeObserver(() => go() && stop());
  const timer = setTimeout(() => stop(), PATIENCE_MS);
  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
    for (const act of BY_HAND) window.removeEventListener(act, stop);
  };
  observer.observe(document.body);
  for (const act of BY_HAND) window.addEventListener(act, stop, { passive: true });
  return stop;
}

/** Brings back where a page was scrolled to, for whoever comes back to it; another page begins at its top. Once, around all screens. */
export function useScrollMemory(): void {
  const { key, pathname } = useLocation();
  const type = useNavigationType();
  const shown = useRef<string>();
  useLayoutEffect(() => {
    const isOther = shown.current !== pathname;
    shown.current = pathname;
    if (type === NavigationType.Pop) return scrollWhenLongEnough(positions.get(key) ?? 0);
    if (isOther) window.scrollTo({ top: 0 });
    // The same page with another filter, or another question chosen in it, stays where it is.
    positions.set(key, window.scrollY);
    return undefined;
  }, [key, pathname, type]);
  useEffect(() => {
    // The address is ahead of the screen while the next one is loaded: what scrolls then belongs to nobody.
    const remember = () => {
      if (shown.current === window.location.pathname) positions.set(key, window.scrollY);
    };
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [key]);
}
