import { useEffect, useRef, type RefObject } from 'react';

const ahead = '600px';

/**
 * Calls `loadMore` whenever the element comes near the window while there is more.
 * Put the ref on an empty element at the end of the list.
 */
export function useLoadMore(hasMore: boolean, loadMore: () => void): RefObject<HTMLDivElement> {
  const end = useRef<HTMLDivElement>(null);
  const latest = useRef(loadMore);
  useEffect(() => {
    latest.current = loadMore;
  });
  useEffect(() => {
    if (!hasMore || !end.current) return undefined;
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && latest.current(), {
      rootMargin: ahead,
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasMore]);
  return end;
}
