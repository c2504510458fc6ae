/** What is told, but for what comes while it may not be told. */
export function onlyWhile<T>(
  told: AsyncIterableIterator<T>,
  mayBeTold: (value: T) => boolean | Promise<boolean>,
): AsyncIterableIterator<T> {
  return {
    async next() {
      for (;;) {
        const next = await told.next();
        if (next.done) return next;
        const may = mayBeTold(next.value);
        if (may === true || (await may)) return next;
      }
    },
    return: (value) => told.return?.(value) ?? Promise.resolve({ done: true, value: undefined }),
    throw: (error) => told.throw?.(error) ?? Promise.reject(error as Error),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
