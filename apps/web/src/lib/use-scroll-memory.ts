import { useEffect, useLayoutEffect } from 'react';
import { NavigationType, useNavigationType } from 'react-router-dom';

const positions = new Map<string, number>();

/**
 * Brings back where the page was scrolled to when somebody comes back to it.
 *
 * @param key tells one list of a screen from another
 * @param isReady the content has its height again
 */
export function useScrollMemory(key: string, isReady: boolean): void {
  const isBack = useNavigationType() === NavigationType.Pop;
  useLayoutEffect(() => {
    const position = positions.get(key);
    if (isReady && isBack && position !== undefined) window.scrollTo({ top: position });
  }, [key, isReady, isBack]);
  useEffect(() => {
    const remember = () => positions.set(key, window.scrollY);
    window.addEventListener('scroll', remember, { passive: true });
    return () => window.removeEventListener('scroll', remember);
  }, [key]);
}
