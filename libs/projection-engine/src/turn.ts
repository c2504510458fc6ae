import { setImmediate } from 'node:timers/promises';

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
