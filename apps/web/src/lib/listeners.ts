export interface Listeners {
  /** @returns unsubscribe */
  readonly subscribe: (listener: () => void) => () => void;
  readonly notify: () => void;
}

/** Listeners for changes outside React, as `useSyncExternalStore` expects them. */
export function newListeners(): Listeners {
  const listeners = new Set<() => void>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify() {
      // A copy: listeners added meanwhile wait for the next change, and removed ones are skipped.
      for (const listener of [...listeners]) if (listeners.has(listener)) listener();
    },
  };
}
