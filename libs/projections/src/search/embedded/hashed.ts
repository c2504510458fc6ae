/** Half of the slots are free at least, so that a look-up takes one or two. */
const SHARE_FILLED = 0.5;

/** Numbers from zero on by the hash of what they stand for, in one flat array; what that is, and whether it is the same, is the caller's. */
export class HashedNumbers {
  /** A number and one in each; zero is a free slot. */
  private slots = new Uint32Array(1 << 10);
  private filled = 0;

  constructor(private readonly hashOf: (number: number) => number) {}

  get bytes(): number {
    return this.slots.byteLength;
  }

  find(hash: number, isSame: (number: number) => boolean): number | undefined {
    const mask = this.slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const held = this.slots[slot] ?? 0;
      if (held === 0) return undefined;
      if (isSame(held - 1)) return held - 1;
    }
  }

  /** One that `find` does not know. */
  add(hash: number, number: number): void {
    if ((this.filled + 1) / this.slots.length > SHARE_FILLED) this.grow();
    this.place(hash, number);
    this.filled += 1;
  }

  private place(hash: number, number: number): void {
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
    this.slots[slot] = number + 1;
  }

  private grow(): void {
    const before = this.slots;
    this.slots = new Uint32Array(before.length * 2);
    for (const held of before) if (held !== 0) this.place(this.hashOf(held - 1), held - 1);
  }
}

/** One step of a hash over numbers. */
export const mixed = (hash: number, next: number): number => Math.imul(hash ^ next, 0x01000193);

/** The high bits have their say in the low ones, which choose the slot. */
export const spread = (hash: number): number => {
  const once = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (once ^ (once >>> 13)) >>> 0;
};
