export type Order<T> = (a: T, b: T) => number;

/** The first `count` of the items that are offered, in the order given, without keeping all of them. */
export class BestOf<T> {
  /** The best first. */
  readonly items: T[] = [];

  constructor(
    private readonly count: number,
    private readonly order: Order<T>,
  ) {}

  /** What has to be beaten, once there are enough. */
  get last(): T | undefined {
    return this.items.length === this.count ? this.items.at(-1) : undefined;
  }

  takes(item: T): boolean {
    const { last } = this;
    return this.count > 0 && (last === undefined || this.order(item, last) < 0);
  }

  offer(item: T): void {
    if (!this.takes(item)) return;
    let low = 0;
    for (let high = this.items.length; low < high;) {
      const middle = (low + high) >> 1;
      const other = this.items[middle];
      if (other !== undefined && this.order(other, item) <= 0) low = middle + 1;
      else high = middle;
    }
    this.items.splice(low, 0, item);
    if (this.items.length > this.count) this.items.pop();
  }
}
