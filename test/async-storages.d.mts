/** Remembers every AsyncLocalStorage that is used from now on. */
export function watchStorages(): {
  /** Nothing that was kept in them is carried any further; one that is used again works again. */
  disableUsed(): void;
  /** Remembers no more. */
  stop(): void;
};
