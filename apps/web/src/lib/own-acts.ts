import { useSyncExternalStore } from 'react';

/** Between two looks whether answers have caught up, in milliseconds. */
export const looks = [1_000, 2_000, 4_000, 8_000, 15_000];

const listeners = new Set<() => void>();
const rereads = new Set<() => Promise<unknown>>();

let tries = 0;
let rounds = 0;
let nextTry: ReturnType<typeof setTimeout> | undefined;

function change(next: number): void {
  tries = next;
  listeners.forEach((listener) => listener());
}

/** One answer that is not stale proves nothing: another may be, and it may have been asked for before the act. */
async function readAgain(): Promise<void> {
  rounds += 1;
  const round = rounds;
  await Promise.all([...rereads].map((reread) => reread()));
  if (round === rounds && nextTry === undefined) change(0);
}

/** Notes that an answer may lack what this person did last, as its `extensions.stale` says: then all is read again until no answer does. */
export function noteStale(): void {
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

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether answers stay behind: one that is late by a moment is nothing to talk about. */
export const useAreActsLate = (): boolean => useSyncExternalStore(subscribe, () => tries > 1);
