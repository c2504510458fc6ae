/** Lets one through at a time, in the order in which they came. */
export class Turnstile {
  #last: Promise<unknown> = Promise.resolve();

  pass<T>(work: () => Promise<T>): Promise<T> {
    const passed = this.#last.then(work, work);
    // Whoever asked hears of it.
    this.#last = passed.catch(() => undefined);
    return passed;
  }
}
