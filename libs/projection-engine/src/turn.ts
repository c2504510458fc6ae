import { setImmediate } from 'node:timers/promises';

const LONGEST_MS = 5;

/** A turn of long work on the event loop, which requests share. */
export class Turn {
  private began = performance.now();

  get isOver(): boolean {
    return this.isOverAt(performance.now());
  }

  /** @param now of `performance.now()` */
  isOverAt(now: number): boolean {
    return now - this.began > LONGEST_MS;
  }

  /** Lets everything else that waits have its turn. */
  async pass(): Promise<void> {
    await setImmediate();
    this.began = performance.now();
  }
}
