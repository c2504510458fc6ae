import { useEffect, useSyncExternalStore } from 'react';

/** How many outlines stand where something is to come. */
let outlines = 0;
const listeners = new Set<() => void>();

function count(by: 1 | -1): void {
  outlines += by;
  for (const tell of listeners) tell();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** An outline says nothing to who does not see it: while any is shown, `LoadingStatus` says for all of them that something loads. */
export function useOutline(isWaitedFor = true): void {
  useEffect(() => {
    if (!isWaitedFor) return undefined;
    count(1);
    return () => count(-1);
  }, [isWaitedFor]);
}

export const useIsLoading = (): boolean => useSyncExternalStore(subscribe, () => outlines > 0);

/** Calls it once no outline is shown, at once where there is none. */
export function onceLoaded(loaded: () => void): () => void {
  const look = (): void => {
    if (outlines > 0) return;
    listeners.delete(look);
    loaded();
  };
  listeners.add(look);
  look();
  return () => void listeners.delete(look);
}
