/** Seeded random numbers (mulberry32), so that every run measures the same community. */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  between(min: number, max: number): number {
    return min + this.below(max - min + 1);
  }

  one<T>(items: readonly T[]): T {
    const item = items[this.below(items.length)];
    if (item === undefined) throw new RangeError('nothing to choose from');
    return item;
  }

  /** Skewed towards the first items, as activity is in any community. */
  oneSkewed<T>(items: readonly T[]): T {
    const item = items[Math.floor(this.next() ** 2 * items.length)];
    if (item === undefined) throw new RangeError('nothing to choose from');
    return item;
  }
}
