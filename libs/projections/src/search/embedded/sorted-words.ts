import type { WordStore } from './word-store.js';

/** Words that are newer than the order are looked through; so many are worth putting in. */
const NEWER_AT_MOST = 1_000;

/** The words of a store in the order of their letters, from the front or from the back: those that begin or end alike are neighbours. */
export class SortedWords {
  private order = new Uint32Array();

  constructor(
    private readonly words: WordStore,
    private readonly from: 'front' | 'back',
  ) {}

  get bytes(): number {
    return this.order.byteLength;
  }

  /** Those that begin with the text, or end with it, itself among them. */
  matching(text: string): number[] {
    if (this.words.size - this.order.length > NEWER_AT_MOST) this.putInOrder();
    const found: number[] = [];
    for (let place = this.firstNotBefore(text); place < this.order.length; place += 1) {
      const word = this.order[place] ?? 0;
      if (this.compareStart(word, text) !== 0) break;
      found.push(word);
    }
    for (let word = this.order.length; word < this.words.size; word += 1)
      if (this.compareStart(word, text) === 0) found.push(word);
    return found;
  }

  private firstNotBefore(text: string): number {
    let low = 0;
    for (let high = this.order.length; low < high;) {
      const middle = (low + high) >> 1;
      if (this.compareStart(this.order[middle] ?? 0, text) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Zero where the word has the whole text. */
  private compareStart(word: number, text: string): number {
    const length = this.words.lengthOf(word);
    for (let place = 0; place < text.length; place += 1) {
      if (place === length) return -1;
      const difference =
        this.letterAt(word, length, place) - text.charCodeAt(this.placeIn(text.length, place));
      if (difference !== 0) return difference;
    }
    return 0;
  }

  private compare(a: number, b: number): number {
    const [lengthOfA, lengthOfB] = [this.words.lengthOf(a), this.words.lengthOf(b)];
    for (let place = 0; place < lengthOfA && place < lengthOfB; place += 1) {
      const difference = this.letterAt(a, lengthOfA, place) - this.letterAt(b, lengthOfB, place);
      if (difference !== 0) return difference;
    }
    return lengthOfA - lengthOfB;
  }

  private letterAt(word: number, length: number, place: number): number {
    return this.words.letterAt(word, this.placeIn(length, place));
  }

  private placeIn(length: number, place: number): number {
    return this.from === 'front' ? place : length - 1 - place;
  }

  private putInOrder(): void {
    const known = this.order.length;
    const newer = Uint32Array.from({ length: this.words.size - known }, (_, place) => known + place);
    newer.sort((a, b) => this.compare(a, b));
    const merged = new Uint32Array(this.words.size);
    let [before, after] = [0, 0];
    for (let place = 0; place < merged.length; place += 1) {
      const [left, right] = [this.order[before], newer[after]];
      const takesLeft = right === undefined || (left !== undefined && this.compare(left, right) < 0);
      merged[place] = (takesLeft ? left : right) ?? 0;
      if (takesLeft) before += 1;
      else after += 1;
    }
    this.order = merged;
  }
}
