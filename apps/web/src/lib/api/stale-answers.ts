import { useSyncExternalStore } from 'react';
import { newListeners } from '../listeners';

/** Between two looks whether answers have caught up, in milliseconds. */
export const looks = [1_000, 2_000, 4_000, 8_000, 15_000];

const { subscribe, notify } = newListeners();
const rereads = new Set<() => Promise<unknown>>();

/** Positions that the read models have to pass until this person's own acts are seen, by read model, as the api gave them. */
const readAfter = new Map<string, string>();

let tries = 0;
let rounds = 0;
let nextTry: ReturnType<typeof setTimeout> | undefined;

function change(next: number): void {
  tries = next;
  if (next === 0) readAfter.clear();
  notify();
}

/** One answer that is not stale proves nothing: another may be, and it may have been asked for before the act. */
async function readAgain(): Promise<void> {
  rounds += 1;
  const round = rounds;
  await Promise.all([...rereads].map((reread) => reread()));
  if (round === rounds && nextTry === undefined) change(0);
}

/**
 * Notes that an answer may lack what this person did last, as its `extensions.stale` says: then all is read again until no answer does.
 * @param positions its `extensions.readAfter`
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

/**
 * @param reread resolves when all is read, also where something could not be
 * @returns what ends it
 */
export function onStale(reread: () => Promise<unknown>): () => void {
  rereads.add(reread);
  return () => {
    rereads.delete(reread);
    clearTimeout(nextTry);
    nextTry = undefined;
    change(0);
  };
}

/** Makes the api say `stale` for as long as it cannot show what this person did. */
export const readAfterHeader = (): Record<string, string> =>
  readAfter.size === 0 ? {} : { 'x-read-after': [...readAfter].map((place) => place.join('=')).join(',') };

/** Whether answers stay behind: one that is late by a moment is nothing to talk about. */
export const useAreActsLate = (): boolean => useSyncExternalStore(subscribe, () => tries > 1);
