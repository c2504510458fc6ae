import { useCallback, useEffect, useMemo, useState } from 'react';
import { useSearchParams } from 'react-router-dom';

interface Wanted<T> {
  value: T;
  /** The address that it was chosen on: at the next one it is said by that. */
  on: URLSearchParams;
}

/**
 * What the address says, and a way to change it. The router follows an address when there is time for it; what was chosen counts at
 * once, or the next click would bring back what the last one cleared. Whoever goes back or forward meanwhile takes the choice back: from
 * then on the address alone counts.
 *
 * @param read stays the same from render to render, as `write` does
 */
export function useAddressed<T>(
  read: (params: URLSearchParams) => T,
  write: (value: T) => URLSearchParams,
  navigation?: { replace: boolean },
) {
  const [params, setParams] = useSearchParams();
  const [lastWanted, setWanted] = useState<Wanted<T>>();
  const wanted = lastWanted?.on === params ? lastWanted : undefined;
  const value = useMemo(() => (wanted ? wanted.value : read(params)), [wanted, params, read]);
  useEffect(() => {
    const takeBack = () => setWanted(undefined);
    window.addEventListener('popstate', takeBack);
    return () => window.removeEventListener('popstate', takeBack);
  }, []);
  const replace = navigation?.replace === true;
  const change = useCallback(
    (next: T) => {
      setWanted({ value: next, on: params });
      setParams(write(next), replace ? { replace } : undefined);
    },
    [params, setParams, write, replace],
  );
  return { value, change, params, setParams, isAhead: wanted !== undefined };
}
