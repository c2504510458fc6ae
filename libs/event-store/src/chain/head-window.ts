import type { HeadWitness } from './head-witness.js';
import type { SignedHead } from './signed-head.js';

/** Heads that are held of each witness: a part of a log of years. */
const HELD = 20_000;

/** A witness read from the beginning to the end, a part at a time. */
export class HeadWindow {
  #after = 0;
  #until = 0;
  #heads: readonly SignedHead[] = [];

  constructor(readonly witness: HeadWitness) {}

  /** What is read from now on is what is there now. */
  reset(): void {
    this.#until = 0;
  }

  /** At most up to `until`; what the window reaches to is told with it. */
  async between(
    after: number,
    until: number,
  ): Promise<{ readonly heads: readonly SignedHead[]; readonly until: number }> {
    if (after < this.#after || after >= this.#until || this.#until === 0) await this.#load(after, until);
    const reaches = Math.min(until, this.#until);
    return {
      heads: this.#heads.filter(({ ordinal }) => ordinal > after && ordinal <= reaches),
      until: reaches,
    };
  }

  async #load(after: number, until: number): Promise<void> {
    const { heads } = await this.witness.read(after, HELD);
    this.#after = after;
    this.#heads = heads;
    const last = heads.at(-1)?.ordinal ?? until;
    // Of one ordinal there may be several: the last may not be whole.
    this.#until = heads.length < HELD ? Math.max(until, last) : Math.max(after + 1, last - 1);
  }
}
