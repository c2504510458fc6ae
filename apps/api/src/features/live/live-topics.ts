import { EventEmitter, on } from 'node:events';

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

const ENDED = 'ended';

/** What is told to whoever listens to a topic, from the moment of listening until the iterator is returned or the topic ends. */
export class LiveTopics<T> {
  private readonly emitter = new EventEmitter().setMaxListeners(0);
  private readonly listeners = new Map<string, number>();

  /** @param whenUsed is told whether anybody listens to any topic, when that changes */
  constructor(private readonly whenUsed: (isUsed: boolean) => void) {}

  get all(): string[] {
    return [...this.listeners.keys()];
  }

  has(topic: string): boolean {
    return this.listeners.has(topic);
  }

  tell(topic: string, value: T): void {
    this.emitter.emit(topic, value);
  }

  end(topic: string): void {
    this.emitter.emit(`${topic} ${ENDED}`);
  }

  /** @param first is told at once */
  of(topic: string, first?: T): AsyncIterableIterator<T> {
    const told = on(this.emitter, topic, { close: [`${topic} ${ENDED}`] }) as AsyncIterableIterator<[T]>;
    this.enter(topic);
    let atOnce = first;
    let isOpen = true;
    const leave = (): void => {
      if (isOpen) this.leave(topic);
      isOpen = false;
    };
    const end = async (): Promise<IteratorResult<T>> => {
      leave();
      await told.return?.();
      return { done: true, value: undefined };
    };
    // Not a generator: one that waits for the next value could not be returned before it comes.
    return {
      async next() {
        if (atOnce !== undefined) {
          const value = atOnce;
          atOnce = undefined;
          return { value };
        }
        const next = await told.next();
        if (next.done) {
          leave();
          return { done: true, value: undefined };
        }
        return { value: next.value[0] };
      },
      return: end,
      throw: end,
      [Symbol.asyncIterator]() {
        return this;
      },
    };
  }

  private enter(topic: string): void {
    this.listeners.set(topic, (this.listeners.get(topic) ?? 0) + 1);
    this.whenUsed(true);
  }

  private leave(topic: string): void {
    const left = (this.listeners.get(topic) ?? 1) - 1;
    if (left > 0) this.listeners.set(topic, left);
    else this.listeners.delete(topic);
    if (this.listeners.size === 0) this.whenUsed(false);
  }
}
