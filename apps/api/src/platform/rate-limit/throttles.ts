import type { RateLimit } from './limits.js';

export interface Taken {
  /** With what was just taken; more than the most of the window where that was used up. */
  readonly used: number;
  /** Until the window ends. */
  readonly leftMs: number;
}

/** The windows, in one place for all processes. */
export abstract class Throttles {
  /** Takes a portion, and begins a window where none is open. Those who ask at once are served one after the other. */
  abstract take(key: string, limit: Pick<RateLimit, 'most' | 'seconds' | 'portion'>): Promise<Taken>;
}
