/** Numbers in a typed array with room to grow: a fraction of what an array of numbers takes. */
export class GrowingList {
  private items = new Uint32Array(2);
  length = 0;

  push(item: number): void {
    if (this.length === this.items.length) {
      const more = new Uint32Array(Math.ceil(this.length * 1.5) + 1);
      more.set(this.items);
      this.items = more;
    }
    this.items[this.length] = item;
    this.length += 1;
  }

  at(place: number): number {
    return this.items[place] ?? 0;
  }

  /** What is filled, to be read in a loop. */
  get filled(): Uint32Array {
    return this.items.subarray(0, this.length);
  }
}
