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

const NONE = new Uint32Array();
/** Newer postings are put to the others once there are so many of them, and more than a share of all. */
const MAX_NEWER = 1 << 16;
const NEWER_SHARE = 4;

/**
 * The postings of each word in their order. Nearly all stand one after the other in one array, word by word; what came since hangs on lists,
 * and is put to the others now and then: once for so many that a posting is moved a few times at most.
 */
export class Postings {
  private folded = NONE;
  /** Where the postings of each word begin among those. */
  private starts = new Uint32Array(1);
  private readonly newer = GrowingList.ofIntegers();
  private readonly next = GrowingList.ofIntegers();
  /** By the word: how many are newer, the first and the last of them. */
  private readonly counts = GrowingList.ofIntegers();
  private readonly firsts = GrowingList.ofIntegers();
  private readonly lasts = GrowingList.ofIntegers();

  get bytes(): number {
    const lists = [this.newer, this.next, this.counts, this.firsts, this.lasts];
    return lists.reduce((sum, { bytes }) => sum + bytes, this.folded.byteLength + this.starts.byteLength);
  }

  get isDue(): boolean {
    return this.newer.length > Math.max(MAX_NEWER, this.folded.length / NEWER_SHARE);
  }

  countOf(word: number): number {
    return this.foldedCountOf(word) + this.counts.at(word);
  }

  /** The older ones, then the newer ones. */
  of(word: number): readonly [Uint32Array, Uint32Array] {
    const older =
      word + 1 < this.starts.length ? this.folded.subarray(this.starts[word], this.starts[word + 1]) : NONE;
    return [older, this.newerOf(word)];
  }

  /** After all others of the word. */
  add(word: number, posting: number): void {
    const count = this.counts.at(word);
    const place = this.newer.length;
    this.newer.push(posting);
    this.next.push(0);
    if (count === 0) this.firsts.set(word, place);
    else this.next.set(this.lasts.at(word), place);
    this.lasts.set(word, place);
    this.counts.set(word, count + 1);
  }

  /** The last posting of the word, where it is among the newer ones. */
  lastOf(word: number): number | undefined {
    return this.counts.at(word) === 0 ? undefined : this.newer.at(this.lasts.at(word));
  }

  changeLastOf(word: number, posting: number): void {
    this.newer.set(this.lasts.at(word), posting);
  }

  /** Puts the newer ones to the others; a posting of which undefined is made is left out. */
  fold(words: number, changed?: (posting: number) => number | undefined): void {
    const all = new Uint32Array(this.folded.length + this.newer.length);
    const starts = new Uint32Array(words + 1);
    let filled = 0;
    const keep = (posting: number): void => {
      const kept = changed ? changed(posting) : posting;
      if (kept === undefined) return;
      all[filled] = kept;
      filled += 1;
    };
    for (let word = 0; word < words; word += 1) {
      starts[word] = filled;
      const end = this.starts[Math.min(word + 1, this.starts.length - 1)] ?? 0;
      for (let place = this.starts[word] ?? end; place < end; place += 1) keep(this.folded[place] ?? 0);
      let place = this.firsts.at(word);
      for (let count = this.counts.at(word); count > 0; count -= 1, place = this.next.at(place))
        keep(this.newer.at(place));
    }
    starts[words] = filled;
    this.folded = filled === all.length ? all : all.slice(0, filled);
    this.starts = starts;
    for (const list of [this.newer, this.next, this.counts, this.firsts, this.lasts]) list.clear();
  }

  private foldedCountOf(word: number): number {
    return word + 1 < this.starts.length ? (this.starts[word + 1] ?? 0) - (this.starts[word] ?? 0) : 0;
  }

  private newerOf(word: number): Uint32Array {
    const count = this.counts.at(word);
    if (count === 0) return NONE;
    const postings = new Uint32Array(count);
    let place = this.firsts.at(word);
    for (let at = 0; at < count; at += 1) {
      postings[at] = this.newer.at(place);
      place = this.next.at(place);
    }
    return postings;
  }
}
