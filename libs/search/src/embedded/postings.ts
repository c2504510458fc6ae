type Numbers = Uint8Array | Uint16Array | Uint32Array | Float64Array;

/** A typed array that grows, at a fraction of the memory of an array of numbers. */
export class GrowableArray<A extends Numbers = Uint32Array> {
  length = 0;

  constructor(private items: A) {}

  static ofUint32(): GrowableArray {
    return new GrowableArray(new Uint32Array(2));
  }

  push(item: number): void {
    if (this.length === this.items.length) this.grow(this.length + 1);
    this.items[this.length] = item;
    this.length += 1;
  }

  at(position: number): number {
    return this.items[position] ?? 0;
  }

  /** Fills any gap with zeros. */
  set(position: number, item: number): void {
    if (position >= this.items.length) this.grow(position + 1);
    if (position >= this.length) this.length = position + 1;
    this.items[position] = item;
  }

  /** The items as a typed array, for fast loops. */
  get values(): A {
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

  private grow(minLength: number): void {
    const Kind = this.items.constructor as new (length: number) => A;
    const larger = new Kind(Math.max(minLength, Math.ceil(this.items.length * 1.25) + 8));
    larger.set(this.items);
    this.items = larger;
  }
}

/** Keeps lookups at one or two probes. */
const MAX_LOAD_FACTOR = 0.5;

/** Open-addressing hash table of numbers from 0. The caller supplies hashes and equality. */
export class HashIndex {
  /** Number plus one; zero is a free slot. */
  private slots = new Uint32Array(1 << 10);
  private used = 0;

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

  /** Adds a number that is not in the table. */
  add(hash: number, number: number): void {
    if ((this.used + 1) / this.slots.length > MAX_LOAD_FACTOR) this.grow();
    this.insert(hash, number);
    this.used += 1;
  }

  private insert(hash: number, number: number): void {
    const mask = this.slots.length - 1;
    let slot = hash & mask;
    while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
    this.slots[slot] = number + 1;
  }

  private grow(): void {
    const before = this.slots;
    this.slots = new Uint32Array(before.length * 2);
    for (const held of before) if (held !== 0) this.insert(this.hashOf(held - 1), held - 1);
  }
}

/** One step of FNV-1a over numbers. */
export const mixHash = (hash: number, next: number): number => Math.imul(hash ^ next, 0x01000193);

/** Mixes the high bits into the low ones, which select the slot. */
export const finalizeHash = (hash: number): number => {
  const once = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
  return (once ^ (once >>> 13)) >>> 0;
};

const NONE = new Uint32Array();
/** Newer postings are compacted once they exceed both this count and 1/`NEWER_SHARE` of the others. */
const MAX_NEWER = 1 << 16;
const NEWER_SHARE = 4;

/**
 * Postings of each word in document order. Most are contiguous in one array, word by word. Newer ones are in linked lists until the next
 * compaction, which is rare enough that each posting is moved only a few times.
 */
export class Postings {
  private compacted = NONE;
  /** By word: start of its postings in `compacted`. */
  private starts = new Uint32Array(1);
  private readonly newer = GrowableArray.ofUint32();
  private readonly next = GrowableArray.ofUint32();
  /** By word: number of newer postings, and positions of the first and last. */
  private readonly counts = GrowableArray.ofUint32();
  private readonly firsts = GrowableArray.ofUint32();
  private readonly lasts = GrowableArray.ofUint32();

  get bytes(): number {
    const lists = [this.newer, this.next, this.counts, this.firsts, this.lasts];
    return lists.reduce((sum, { bytes }) => sum + bytes, this.compacted.byteLength + this.starts.byteLength);
  }

  get needsCompaction(): boolean {
    return this.newer.length > Math.max(MAX_NEWER, this.compacted.length / NEWER_SHARE);
  }

  countOf(word: number): number {
    return this.compactedCountOf(word) + this.counts.at(word);
  }

  /** Older postings, then newer ones. */
  of(word: number): readonly [Uint32Array, Uint32Array] {
    const older =
      word + 1 < this.starts.length
        ? this.compacted.subarray(this.starts[word], this.starts[word + 1])
        : NONE;
    return [older, this.newerOf(word)];
  }

  /** Appends a posting of the word. */
  add(word: number, posting: number): void {
    const count = this.counts.at(word);
    const position = this.newer.length;
    this.newer.push(posting);
    this.next.push(0);
    if (count === 0) this.firsts.set(word, position);
    else this.next.set(this.lasts.at(word), position);
    this.lasts.set(word, position);
    this.counts.set(word, count + 1);
  }

  /** Last newer posting of the word, if any. */
  lastOf(word: number): number | undefined {
    return this.counts.at(word) === 0 ? undefined : this.newer.at(this.lasts.at(word));
  }

  changeLastOf(word: number, posting: number): void {
    this.newer.set(this.lasts.at(word), posting);
  }

  /**
   * Merges the newer postings.
   * @param map drops the posting if it returns undefined
   */
  compact(words: number, map?: (posting: number) => number | undefined): void {
    const all = new Uint32Array(this.compacted.length + this.newer.length);
    const starts = new Uint32Array(words + 1);
    let used = 0;
    const keep = (posting: number): void => {
      const kept = map ? map(posting) : posting;
      if (kept === undefined) return;
      all[used] = kept;
      used += 1;
    };
    for (let word = 0; word < words; word += 1) {
      starts[word] = used;
      const end = this.starts[Math.min(word + 1, this.starts.length - 1)] ?? 0;
      for (let position = this.starts[word] ?? end; position < end; position += 1)
        keep(this.compacted[position] ?? 0);
      let position = this.firsts.at(word);
      for (let count = this.counts.at(word); count > 0; count -= 1, position = this.next.at(position))
        keep(this.newer.at(position));
    }
    starts[words] = used;
    this.compacted = used === all.length ? all : all.slice(0, used);
    this.starts = starts;
    for (const list of [this.newer, this.next, this.counts, this.firsts, this.lasts]) list.clear();
  }

  private compactedCountOf(word: number): number {
    return word + 1 < this.starts.length ? (this.starts[word + 1] ?? 0) - (this.starts[word] ?? 0) : 0;
  }

  private newerOf(word: number): Uint32Array {
    const count = this.counts.at(word);
    if (count === 0) return NONE;
    const postings = new Uint32Array(count);
    let position = this.firsts.at(word);
    for (let at = 0; at < count; at += 1) {
      postings[at] = this.newer.at(position);
      position = this.next.at(position);
    }
    return postings;
  }
}
