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

/** @returns whether the component has been painted: heavy content that is off screen can wait for that */
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

/** Scroll distance in pixels after which a filter bar sticks. */
const STICKS_AFTER = 90;

function subscribe(listener: () => void): () => void {
  window.addEventListener('scroll', listener, { passive: true });
  return () => window.removeEventListener('scroll', listener);
}

/** Whether the page is scrolled far enough for a filter bar to stick. */
export function useIsStuck(): boolean {
  return useSyncExternalStore(subscribe, () => window.scrollY > STICKS_AFTER);
}

/**
 * Keeps `--visible-top` of an element at its distance from the top of the viewport, so that its style can end it at
 * the lower edge at any scroll position.
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
    // The content above may change its height as well.
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

/** Scrolls the open tab into view: on a phone the tabs overflow, and the address may select a hidden one. */
export function useTabInView(open: string): RefObject<HTMLButtonElement> {
  const tab = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    const list = tab.current?.parentElement;
    if (!tab.current || !list) return;
    const [inner, outer] = [tab.current.getBoundingClientRect(), list.getBoundingClientRect()];
    // Horizontally only: the page's scroll position may just have been restored.
    list.scrollLeft += inner.left + inner.width / 2 - (outer.left + outer.width / 2);
  }, [open]);
  return tab;
}

/** By history entry: two visits to the same page have their own positions. */
const positions = new Map<string, number>();

/** How long to wait for a list to regain its length. */
const TIMEOUT_MS = 5_000;
const USER_SCROLL_EVENTS = ['wheel', 'touchstart', 'keydown', 'pointerdown'] as const;

/** Scrolls there once the page is long enough, unless the person scrolls meanwhile. */
function scrollWhenLongEnough(top: number): () => void {
  const go = () => {
    window.scrollTo({ top });
    return document.documentElement.scrollHeight >= top + window.innerHeight;
  };
  if (go() || top === 0) return () => undefined;
  const observer = new ResizeObserver(() => go() && stop());
  const timer = setTimeout(() => stop(), TIMEOUT_MS);
  const stop = () => {
    clearTimeout(timer);
    observer.disconnect();
    for (const act of USER_SCROLL_EVENTS) window.removeEventListener(act, stop);
  };
  observer.observe(document.body);
  for (const act of USER_SCROLL_EVENTS) window.addEventListener(act, stop, { passive: true });
  return stop;
}

/**
 * Restores the scroll position when a page is revisited and starts other pages at the top. Mounted once around all
 * screens.
 */
export function useScrollMemory(): void {
  const { key, pathname } = useLocation();
  const type = useNavigationType();
  const shown = useRef<string>();
  useLayoutEffect(() => {
    const isOther = shown.current !== pathname;
    shown.current = pathname;
    if (type === NavigationType.Pop) return scrollWhenLongEnough(positions.get(key) ?? 0);
    if (isOther) window.scrollTo({ top: 0 });
    // The same page with another filter or question keeps its position.
    positions.set(key, window.scrollY);
    return undefined;
  }, [key, pathname, type]);
  useEffect(() => {
    // While the next screen loads, the address is ahead of what is shown: ignore its scroll events.
    const remember = () => {
      if (shown.current === window.location.pathname) positions.set(key, window.scrollY);
    };
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [key]);
}

/**
 * Keeps `--nimo-keyboard` at the height of the on-screen keyboard and `--nimo-view-top` at how far the page was
 * pushed up by it, for content that has to stay in view. In browsers that resize the page instead
 * (`interactive-widget=resizes-content`) both stay at 0; Safari does not.
 * @returns stops it
 */
export function followKeyboard(): () => void {
  const view = window.visualViewport;
  if (!view) return () => undefined;
  const root = document.documentElement;
  const measure = () => {
    // Pinch zoom makes the visual viewport smaller as well.
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
