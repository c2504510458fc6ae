import { useSyncExternalStore } from 'react';
import { newListeners } from '../listeners';

/** Interval between checks whether answers have caught up, in milliseconds. */
export const CHECK_DELAYS_MS = [1_000, 2_000, 4_000, 8_000, 15_000];

const { subscribe, notify } = newListeners();
const refetchers = new Set<() => Promise<unknown>>();

/** Position each read model has to reach to include this person's own changes, as returned by the API. */
const readAfter = new Map<string, string>();

let tries = 0;
let refetchCount = 0;
let nextTry: ReturnType<typeof setTimeout> | undefined;

function change(next: number): void {
  tries = next;
  if (next === 0) readAfter.clear();
  notify();
}

/** One fresh answer proves nothing: another may be stale, and this one may have been requested before the change. */
async function refetchAll(): Promise<void> {
  refetchCount += 1;
  const round = refetchCount;
  await Promise.all([...refetchers].map((reread) => reread()));
  if (round === refetchCount && nextTry === undefined) change(0);
}

/**
 * Handles `extensions.stale`, which says that an answer may lack this person's last change: refetches until no answer
 * is stale.
 * @param positions from `extensions.readAfter`
 */
export function handleStaleAnswer(positions: Readonly<Record<string, string>> = {}): void {
  for (const [name, position] of Object.entries(positions))
    if (position > (readAfter.get(name) ?? '')) readAfter.set(name, position);
  if (nextTry !== undefined) return;
  nextTry = setTimeout(
    () => {
      nextTry = undefined;
      void refetchAll();
    },
    CHECK_DELAYS_MS[Math.min(tries, CHECK_DELAYS_MS.length - 1)],
  );
  change(tries + 1);
}

/** @param reread resolves when everything has been refetched, even if something failed @returns unsubscribe */
export function onStale(reread: () => Promise<unknown>): () => void {
  refetchers.add(reread);
  return () => {
    refetchers.delete(reread);
    clearTimeout(nextTry);
    nextTry = undefined;
    change(0);
  };
}

/** Makes the API report `stale` while it cannot show this person's changes. */
export const readAfterHeader = (): Record<string, string> =>
  readAfter.size === 0 ? {} : { 'x-read-after': [...readAfter].map((place) => place.join('=')).join(',') };

/** Whether answers stay stale. A short delay is not worth a notice. */
export const useAreChangesDelayed = (): boolean => useSyncExternalStore(subscribe, () => tries > 1);
