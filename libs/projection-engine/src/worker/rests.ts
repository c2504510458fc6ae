import { BackOff } from '../pause.js';

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
