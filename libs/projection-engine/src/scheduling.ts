import { setImmediate } from 'node:timers/promises';

/** Resolves after a time, or when the signal aborts. */
export async function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const finish = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, milliseconds);
    signal.addEventListener('abort', finish, { once: true });
  });
}

/** Between the rounds of a loop that begins again however its last round ended: ever longer rests, until something went well. */
export class BackOff {
  readonly #first: number;
  readonly #longest: number;
  #next: number;

  constructor(firstMs: number, longestMs: number) {
    this.#first = this.#next = firstMs;
    this.#longest = longestMs;
  }

  async rest(signal: AbortSignal): Promise<void> {
    await pause(this.grow(), signal);
  }

  /** How long to rest now, for those who do not wait in place. */
  grow(): number {
    const rest = this.#next;
    this.#next = Math.min(2 * rest, this.#longest);
    return rest;
  }

  reset(): void {
    this.#next = this.#first;
  }
}

const MAX_MS = 5;

/** A turn of long work on the event loop, which requests share. */
export class Turn {
  private began = performance.now();
  private passing: Promise<void> | undefined;

  get isOver(): boolean {
    return this.isOverAt(performance.now());
  }

  /** @param now of `performance.now()` */
  isOverAt(now: number): boolean {
    return now - this.began > MAX_MS;
  }

  /** Lets everything else that waits have its turn. Those who share one pass together, and then share the next. */
  async pass(): Promise<void> {
    this.passing ??= setImmediate().then(() => {
      this.began = performance.now();
      this.passing = undefined;
    });
    await this.passing;
  }
}

const MAX_REST_MS = 2_000;
/** A run that lasted so long is no attempt any more. */
const STEADY_MS = 10_000;

/** Runs that did not end as they should, and when they may begin again. */
export class Rests {
  readonly #firstMs: number;
  /** Until: by this process's clock that never steps. */
  readonly #resting = new Map<string, { readonly backOff: BackOff; readonly until: number }>();

  constructor(firstMs: number) {
    this.#firstMs = firstMs;
  }

  has(identity: string): boolean {
    return performance.now() < (this.#resting.get(identity)?.until ?? 0);
  }

  /**
   * The first time it may begin again at once: a lease is lost by a switch, too.
   * @returns whether it has failed so often in a row that it is of no use to try here
   */
  add(identity: string, lastedMs: number): boolean {
    const known = lastedMs < STEADY_MS ? this.#resting.get(identity) : undefined;
    const backOff = known?.backOff ?? new BackOff(this.#firstMs, MAX_REST_MS);
    const restMs = known ? backOff.grow() : 0;
    this.#resting.set(identity, { backOff, until: performance.now() + restMs });
    return restMs >= MAX_REST_MS;
  }
}
