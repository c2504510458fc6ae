type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** Numbers in a typed array with room to grow: a fraction of what an array of numbers takes. */
export class GrowingList<A extends Numbers = Uint32Array> {
  length = 0;

  constructor(private items: A) {}

  static ofIntegers(): GrowingList {
    return new GrowingList(new Uint32Array(2));
  }

  push(item: number): void {
    if (this.length === this.items.length) this.grow(this.length + 1);
    this.items[this.length] = item;
    this.length += 1;
  }

  at(place: number): number {
    return this.items[place] ?? 0;
  }

  /** Places between that were never set are zero. */
  set(place: number, item: number): void {
    if (place >= this.items.length) this.grow(place + 1);
    if (place >= this.length) this.length = place + 1;
    this.items[place] = item;
  }

  /** What is filled, to be read in a loop. */
  get filled(): A {
    return this.items.subarray(0, this.length) as A;
  }

  clear(): void {
    this.items = this.items.slice(0, 2) as A;
    this.items.fill(0);
    this.length = 0;
  }

  get bytes(): number {
    return this.items.byteLength;
  }

  private grow(least: number): void {
    const Kind = this.items.constructor as new (length: number) => A;
    const more = new Kind(Math.max(least, Math.ceil(this.items.length * 1.25) + 8));
    more.set(this.items);
    this.items = more;
  }
}
