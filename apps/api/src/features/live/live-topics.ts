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
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/**
 * What one listener has still to read. Not a generator, which could not be returned while it waits for the next value; nor `on` of
 * node:events, which reserves 35 kB for each listener.
 */
class Listener<T extends object> implements AsyncIterableIterator<T> {
  private readonly unread: T[] = [];
  private isOver = false;
  private wake: () => void = () => undefined;

  constructor(private readonly onOver: () => void) {}

  tell(value: T): void {
    this.unread.push(value);
    this.wake();
  }

  end(): void {
    if (this.isOver) return;
    this.isOver = true;
    this.onOver();
    this.wake();
  }

  async next(): Promise<IteratorResult<T>> {
    while (this.unread.length === 0 && !this.isOver)
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    const value = this.unread.shift();
    return value ? { value } : { done: true, value: undefined };
  }

  return(): Promise<IteratorResult<T>> {
    this.unread.length = 0;
    this.end();
    return this.next();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }
}

/** What is told to those who listen to a topic, from the moment of listening until the iterator is returned or the topic ends. */
export class LiveTopics<T extends object> {
  private readonly listeners = new Map<string, Set<Listener<T>>>();

  /** @param whenUsed is told whether anybody listens to any topic, when that changes */
  constructor(private readonly whenUsed: (isUsed: boolean) => void) {}

  get all(): string[] {
    return [...this.listeners.keys()];
  }

  has(topic: string): boolean {
    return this.listeners.has(topic);
  }

  tell(topic: string, value: T): void {
    this.listeners.get(topic)?.forEach((listener) => listener.tell(value));
  }

  end(topic: string): void {
    this.listeners.get(topic)?.forEach((listener) => listener.end());
  }

  /** @param first is told at once */
  of(topic: string, first?: T): AsyncIterableIterator<T> {
    const listening = this.listeners.get(topic) ?? new Set();
    const listener = new Listener<T>(() => {
      listening.delete(listener);
      if (listening.size === 0) this.listeners.delete(topic);
      if (this.listeners.size === 0) this.whenUsed(false);
    });
    this.listeners.set(topic, listening.add(listener));
    this.whenUsed(true);
    if (first) listener.tell(first);
    return listener;
  }
}
