export interface Listeners {
  /** @returns what ends it */
  readonly subscribe: (listener: () => void) => () => void;
  readonly notify: () => void;
}

/** Who wants to know that something outside React has changed, as `useSyncExternalStore` asks for it. */
export function newListeners(): Listeners {
  const listeners = new Set<() => void>();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    notify() {
      // Those that come meanwhile hear of the next change, and those that go meanwhile of none.
      for (const listener of [...listeners]) if (listeners.has(listener)) listener();
    },
  };
}
