import { EventStoreUnavailableError } from '../port.js';
import { GRACE_MS } from './transport-errors.js';

interface Held {
  readonly until: number;
  readonly end: () => void;
}

/** As `withDeadline`, for many calls of one patience at a time: a single timer watches over the oldest. */
export class Deadlines {
  readonly #patienceMs: number;
  /** In the order of their ends, as all wait equally long. */
  readonly #held = new Set<Held>();
  #timer: NodeJS.Timeout | undefined;

  constructor(deadlineMs: number) {
    this.#patienceMs = deadlineMs + GRACE_MS;
  }

  /** @throws EventStoreUnavailableError where the call has not settled in time */
  hold<T>(call: Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      const held: Held = {
        until: performance.now() + this.#patienceMs,
        end: () => reject(new EventStoreUnavailableError('no answer in time')),
      };
      this.#held.add(held);
      if (this.#timer === undefined) this.#watch(this.#patienceMs);
      // The last one leaves the timer behind: it finds nothing, and holds no process.
      call.then(
        (value) => {
          this.#held.delete(held);
          resolve(value);
        },
        (error: unknown) => {
          this.#held.delete(held);
          // oxlint-disable-next-line typescript/prefer-promise-reject-errors -- as the call failed, whatever it failed with
          reject(error);
        },
      );
    });
  }

  #watch(ms: number): void {
    this.#timer = setTimeout(() => this.#endLate(), ms);
    this.#timer.unref();
  }

  #endLate(): void {
    this.#timer = undefined;
    const now = performance.now();
    for (const held of this.#held) {
      if (held.until > now) return this.#watch(Math.max(1, held.until - now));
      this.#held.delete(held);
      held.end();
    }
  }
}
