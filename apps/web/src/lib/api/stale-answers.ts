import { useSyncExternalStore } from 'react';
import { newListeners } from '../listeners';

/** Interval between checks whether answers have caught up, in milliseconds. */
export const looks = [1_000, 2_000, 4_000, 8_000, 15_000];

const { subscribe, notify } = newListeners();
const rereads = new Set<() => Promise<unknown>>();

/** Position each read model has to reach to include this person's own changes, as returned by the API. */
const readAfter = new Map<string, string>();

let tries = 0;
let rounds = 0;
let nextTry: ReturnType<typeof setTimeout> | undefined;

function change(next: number): void {
  tries = next;
  if (next === 0) readAfter.clear();
  notify();
}

/** One fresh answer proves nothing: another may be stale, and this one may have been requested before the change. */
async function readAgain(): Promise<void> {
  rounds += 1;
  const round = rounds;
  await Promise.all([...rereads].map((reread) => reread()));
  if (round === rounds && nextTry === undefined) change(0);
}

/**
 * Handles `extensions.stale`, which says that an answer may lack this person's last change: refetches until no answer
 * is stale.
 * @param positions from `extensions.readAfter`
 */
export function noteStale(positions: Readonly<Record<string, string>> = {}): void {
  for (const [name, position] of Object.entries(positions))
    if (position > (readAfter.get(name) ?? '')) readAfter.set(name, position);
  if (nextTry !== undefined) return;
  nextTry = setTimeout(
    () => {
      nextTry = undefined;
      void readAgain();
    },
    looks[Math.min(tries, looks.length - 1)],
  );
  change(tries + 1);
}

/** @param reread resolves when everything has been refetched, even if something failed @returns unsubscribe */
export function onStale(reread: () => Promise<unknown>): () => void {
  rereads.add(reread);
  return () => {
    rereads.delete(reread);
    clearTimeout(nextTry);
    nextTry = undefined;
    change(0);
  };
}

/** Makes the API report `stale` while it cannot show this person's changes. */
export const readAfterHeader = (): Record<string, string> =>
  readAfter.size === 0 ? {} : { 'x-read-after': [...readAfter].map((place) => place.join('=')).join(',') };

/** Whether answers stay stale. A short delay is not worth a notice. */
export const useAreActsLate = (): boolean => useSyncExternalStore(subscribe, () => tries > 1);
