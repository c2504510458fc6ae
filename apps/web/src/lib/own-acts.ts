import { useSyncExternalStore } from 'react';

/** Between two looks whether answers have caught up, in milliseconds. */
export const looks = [1_000, 2_000, 4_000, 8_000, 15_000];

const listeners = new Set<() => void>();
const rereads = new Set<() => void>();

let tries = 0;
let nextTry: ReturnType<typeof setTimeout> | undefined;

function change(next: number): void {
  tries = next;
  listeners.forEach((listener) => listener());
}

/** Notes whether an answer may lack what this person did last, as its `extensions.stale` says: then all is read again until none does. */
export function noteFreshness(isStale: boolean): void {
  if (!isStale) {
    clearTimeout(nextTry);
    nextTry = undefined;
    if (tries > 0) change(0);
    return;
  }
  if (nextTry !== undefined) return;
  nextTry = setTimeout(
    () => {
      nextTry = undefined;
      rereads.forEach((reread) => reread());
    },
    looks[Math.min(tries, looks.length - 1)],
  );
  change(tries + 1);
}

/** @returns what ends it */
export function onStale(reread: () => void): () => void {
  rereads.add(reread);
  return () => {
    rereads.delete(reread);
    noteFreshness(false);
  };
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Whether answers stay behind: one that is late by a moment is nothing to talk about. */
export const useAreActsLate = (): boolean => useSyncExternalStore(subscribe, () => tries > 1);
