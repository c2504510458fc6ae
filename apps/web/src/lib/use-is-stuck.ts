import { useSyncExternalStore } from 'react';

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
