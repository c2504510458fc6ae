import {
  type RefObject,
  startTransition,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
} from 'react';

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
