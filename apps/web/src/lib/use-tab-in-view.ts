import { useEffect, useRef, type RefObject } from 'react';

/** For the control of the open tab: on a phone the tabs go beyond the edge, and the address may open one of those. */
export function useTabInView(open: string): RefObject<HTMLButtonElement> {
  const tab = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // Answers with a promise in newer browsers, which is nothing to clean up with.
    tab.current?.scrollIntoView({ block: 'nearest', inline: 'center' });
  }, [open]);
  return tab;
}
