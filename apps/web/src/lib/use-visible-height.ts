import { useLayoutEffect, useRef, type RefObject } from 'react';

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
