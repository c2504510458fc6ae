import { useEffect, useRef, type RefObject } from 'react';

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
