import { GrowingList } from './growing-list.js';

const NONE = new Uint32Array();
/** Newer postings are put to the others once there are so many of them, and more than a share of all. */
const NEWER_AT_MOST = 1 << 16;
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
    return this.newer.length > Math.max(NEWER_AT_MOST, this.folded.length / NEWER_SHARE);
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
