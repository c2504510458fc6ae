/** Skips the values for which `isAllowed` is false when they arrive. */
export function filterValues<T>(
  values: AsyncIterableIterator<T>,
  isAllowed: (value: T) => boolean | Promise<boolean>,
): AsyncIterableIterator<T> {
  return {
    async next() {
      for (;;) {
        const next = await values.next();
        if (next.done) return next;
        const allowed = isAllowed(next.value);
        if (allowed === true || (await allowed)) return next;
      }
    },
    return: (value) => values.return?.(value) ?? Promise.resolve({ done: true, value: undefined }),
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}

/**
 * Unread values of one listener. Not a generator, which cannot return while it awaits a value, nor `on` of node:events, which takes
 * 35 kB per listener.
 */
class Listener<T extends object> implements AsyncIterableIterator<T> {
  private readonly unread: T[] = [];
  private hasEnded = false;
  private wake: () => void = () => undefined;

  constructor(private readonly onEnd: () => void) {}

  push(value: T): void {
    this.unread.push(value);
    this.wake();
  }

  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.onEnd();
    this.wake();
  }

  async next(): Promise<IteratorResult<T>> {
    while (this.unread.length === 0 && !this.hasEnded)
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

/** In-memory publish/subscribe by topic. A subscription lasts until its iterator returns or the topic ends. */
export class LiveTopics<T extends object> {
  private readonly listeners = new Map<string, Set<Listener<T>>>();

  /** @param onUsedChange called when the first listener of any topic subscribes or the last one leaves */
  constructor(private readonly onUsedChange: (inUse: boolean) => void) {}

  get activeTopics(): string[] {
    return [...this.listeners.keys()];
  }

  has(topic: string): boolean {
    return this.listeners.has(topic);
  }

  publish(topic: string, value: T): void {
    this.listeners.get(topic)?.forEach((listener) => listener.push(value));
  }

  end(topic: string): void {
    this.listeners.get(topic)?.forEach((listener) => listener.end());
  }

  /** @param first delivered immediately */
  subscribe(topic: string, first?: T): AsyncIterableIterator<T> {
    const listening = this.listeners.get(topic) ?? new Set();
    const listener = new Listener<T>(() => {
      listening.delete(listener);
      if (listening.size === 0) this.listeners.delete(topic);
      if (this.listeners.size === 0) this.onUsedChange(false);
    });
    this.listeners.set(topic, listening.add(listener));
    this.onUsedChange(true);
    if (first) listener.push(first);
    return listener;
  }
}
