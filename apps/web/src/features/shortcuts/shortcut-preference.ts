import { useSyncExternalStore } from 'react';

/** Speech input and unsteady hands press single keys by accident, so they can be turned off on this device. */
const key = 'singleKeyShortcuts';
const off = 'off';

const listeners = new Set<() => void>();

export function areShortcutsOn(): boolean {
  return localStorage.getItem(key) !== off;
}

export function turnShortcuts(on: boolean): void {
  if (on) localStorage.removeItem(key);
  else localStorage.setItem(key, off);
  listeners.forEach((listener) => listener());
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useAreShortcutsOn(): boolean {
  return useSyncExternalStore(subscribe, areShortcutsOn);
}
