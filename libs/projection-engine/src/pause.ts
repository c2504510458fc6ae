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
