import {
  type RefObject,
  startTransition,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';
import { NavigationType, useLocation, useNavigationType } from 'react-router-dom';

/** @returns whether the component has been painted: what is heavy and seen by nobody at first can wait for that. */
export function useIsPainted(): boolean {
  const [isPainted, setIsPainted] = useState(false);
  useEffect(() => {
    let frame = requestAnimationFrame(() => {
      frame = requestAnimationFrame(() => startTransition(() => setIsPainted(true)));
    });
    return () => cancelAnimationFrame(frame);
  }, []);
  return isPainted;
}

/** A bar of filters sticks once the page is scrolled further than this, in pixels. */
const STICKS_AFTER = 90;

function subscribe(listener: () => void): () => void {
  window.addEventListener('scroll', listener, { passive: true });
  return () => window.removeEventListener('scroll', listener);
}

/** Whether the page is scrolled so far that a bar of filters sticks. */
export function useIsStuck(): boolean {
  return useSyncExternalStore(subscribe, () => window.scrollY > STICKS_AFTER);
}

/**
 * Keeps `--visible-top` of an element at its distance from the top of the window, so that its style can end it at the lower
 * edge wherever the page is scrolled to.
 */
export function useVisibleHeight<T extends HTMLElement>(): RefObject<T> {
  const ref = useRef<T>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return undefined;
    const measure = () => {
      element.style.setProperty('--visible-top', `${element.getBoundingClientRect().top}px`);
    };
    measure();
    // What is above it may change its height as well.
    const observer = new ResizeObserver(measure);
    observer.observe(document.body);
    window.addEventListener('scroll', measure, { passive: true });
    window.addEventListener('resize', measure);
    return () => {
      observer.disconnect();
      window.removeEventListener('scroll', measure);
      window.removeEventListener('resize', measure);
    };
  }, []);
  return ref;
}

/** For the control of the open tab: on a phone the tabs go beyond the edge, and the address may open one of those. */
export function useTabInView(open: string): RefObject<HTMLButtonElement> {
  const tab = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const list = tab.current?.parentElement;
    if (!tab.current || !list) return;
    const [inner, outer] = [tab.current.getBoundingClientRect(), list.getBoundingClientRect()];
    // Sideways only: the page may have been brought back to where it was scrolled to.
    list.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
  }, [open]);
  return tab;
}

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

/**
 * Keeps `--nimo-keyboard` of the page at the height that a keyboard on the screen lies over it, and `--nimo-view-top` at how far the page
 * was pushed up for it, for what has to stay in view. Browsers that make the page lower instead (`interactive-widget=resizes-content`)
 * leave both at nothing; Safari does not.
 * @returns what ends it
 */
export function followKeyboard(): () => void {
  const view = window.visualViewport;
  if (!view) return () => undefined;
  const root = document.documentElement;
  const measure = () => {
    // Whoever has enlarged the page sees less of it as well.
    const covered = view.scale > 1 ? 0 : Math.max(0, window.innerHeight - view.height - view.offsetTop);
    root.style.setProperty('--nimo-keyboard', `${Math.round(covered)}px`);
    root.style.setProperty('--nimo-view-top', `${view.scale > 1 ? 0 : Math.round(view.offsetTop)}px`);
  };
  measure();
  view.addEventListener('resize', measure);
  view.addEventListener('scroll', measure);
  return () => {
    view.removeEventListener('resize', measure);
    view.removeEventListener('scroll', measure);
    root.style.removeProperty('--nimo-keyboard');
    root.style.removeProperty('--nimo-view-top');
  };
}
