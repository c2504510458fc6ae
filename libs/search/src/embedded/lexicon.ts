import { WordStore } from './word-store.js';
import { GrowableArray } from './postings.js';
import { editsBetween } from '@nimo/projections';

/** Bits of an integer. */
const MAX_BIT_PARALLEL_LENGTH = 32;

/** By letter: bit set of its positions in the current word. All zero between words. */
const positionsOf = new Int32Array(1 << 16);

/**
 * Bit-parallel edit distance from one word to many others (Hyyrö 2003), equal to `editsBetween`. Encodes each column of the distance
 * matrix as two bit vectors, at about a dozen operations per letter.
 */
class EditDistance {
  private readonly last: number;

  /** @param word at most `MAX_BIT_PARALLEL_LENGTH` letters; one instance at a time, until `release` */
  constructor(private readonly word: string) {
    this.last = 1 << (word.length - 1);
    for (let position = 0; position < word.length; position += 1) {
      const letter = word.charCodeAt(position);
      positionsOf[letter] = (positionsOf[letter] ?? 0) | (1 << position);
    }
  }

  release(): void {
    for (let position = 0; position < this.word.length; position += 1)
      positionsOf[this.word.charCodeAt(position)] = 0;
  }

  /** Names as in the paper: vertical (v), horizontal (h) and diagonal (d) differences, positive (p), negative (n) or zero (0). */
  editsTo(words: WordStore, other: number): number {
    const length = words.lengthOf(other);
    let [vp, vn, d0, previousMatches] = [-1, 0, 0, 0];
    let edits = this.word.length;
    for (let position = 0; position < length; position += 1) {
      const matches = positionsOf[words.letterAt(other, position)] ?? 0;
      const transposed = ((~d0 & matches) << 1) & previousMatches;
      d0 = ((((matches & vp) + vp) | 0) ^ vp) | matches | vn | transposed;
      const hp = vn | ~(d0 | vp);
      const hn = d0 & vp;
      if ((hp & this.last) !== 0) edits += 1;
      else if ((hn & this.last) !== 0) edits -= 1;
      const shiftedHp = (hp << 1) | 1;
      vp = (hn << 1) | ~(d0 | shiftedHp);
      vn = shiftedHp & d0;
      previousMatches = matches;
    }
    return edits;
  }
}

/** New words are scanned linearly up to this count, then sorted in. */
const MAX_UNSORTED = 1_000;

/** Words sorted by their letters from the front or the back, for prefix and suffix search. */
class SortedWords {
  private order = new Uint32Array();

  constructor(
    private readonly words: WordStore,
    private readonly from: 'front' | 'back',
  ) {}

  get bytes(): number {
    return this.order.byteLength;
  }

  /** Words with this prefix or suffix, including the word itself. */
  matching(text: string): number[] {
    if (this.words.size - this.order.length > MAX_UNSORTED) this.sortNewWords();
    const found: number[] = [];
    for (let position = this.lowerBound(text); position < this.order.length; position += 1) {
      const word = this.order[position] ?? 0;
      if (this.comparePrefix(word, text) !== 0) break;
      found.push(word);
    }
    for (let word = this.order.length; word < this.words.size; word += 1)
      if (this.comparePrefix(word, text) === 0) found.push(word);
    return found;
  }

  private lowerBound(text: string): number {
    let low = 0;
    for (let high = this.order.length; low < high;) {
      const middle = (low + high) >> 1;
      if (this.comparePrefix(this.order[middle] ?? 0, text) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Returns 0 if the word has the whole text as prefix or suffix. */
  private comparePrefix(word: number, text: string): number {
    const length = this.words.lengthOf(word);
    for (let position = 0; position < text.length; position += 1) {
      if (position === length) return -1;
      const difference =
        this.letterAt(word, length, position) - text.charCodeAt(this.offsetOf(text.length, position));
      if (difference !== 0) return difference;
    }
    return 0;
  }

  private compare(a: number, b: number): number {
    const [lengthOfA, lengthOfB] = [this.words.lengthOf(a), this.words.lengthOf(b)];
    for (let position = 0; position < lengthOfA && position < lengthOfB; position += 1) {
      const difference = this.letterAt(a, lengthOfA, position) - this.letterAt(b, lengthOfB, position);
      if (difference !== 0) return difference;
    }
    return lengthOfA - lengthOfB;
  }

  private letterAt(word: number, length: number, position: number): number {
    return this.words.letterAt(word, this.offsetOf(length, position));
  }

  private offsetOf(length: number, position: number): number {
    return this.from === 'front' ? position : length - 1 - position;
  }

  private sortNewWords(): void {
    const known = this.order.length;
    const newer = Uint32Array.from({ length: this.words.size - known }, (_, position) => known + position);
    newer.sort((a, b) => this.compare(a, b));
    const merged = new Uint32Array(this.words.size);
    let [before, after] = [0, 0];
    for (let position = 0; position < merged.length; position += 1) {
      const [left, right] = [this.order[before], newer[after]];
      const takesLeft = right === undefined || (left !== undefined && this.compare(left, right) < 0);
      merged[position] = (takesLeft ? left : right) ?? 0;
      if (takesLeft) before += 1;
      else after += 1;
    }
    this.order = merged;
  }
}

interface LengthBucket {
  readonly words: GrowableArray;
  /** Letter mask of each word. */
  readonly letters: GrowableArray;
}

/** Words by length, with letter masks: a typo changes both only slightly. */
class WordsByLength {
  private readonly buckets: LengthBucket[] = [];

  get bytes(): number {
    return this.buckets.reduce((sum, { words, letters }) => sum + words.bytes + letters.bytes, 0);
  }

  add(word: number, length: number, letters: number): void {
    while (this.buckets.length <= length)
      this.buckets.push({ words: GrowableArray.ofUint32(), letters: GrowableArray.ofUint32() });
    this.buckets[length]?.words.push(word);
    this.buckets[length]?.letters.push(letters);
  }

  /** A superset of the words within `maxEdits`. */
  candidates(length: number, letterMask: number, maxEdits: number): number[] {
    const candidates: number[] = [];
    for (const { words, letters } of this.buckets.slice(
      Math.max(0, length - maxEdits),
      length + maxEdits + 1,
    )) {
      const masks = letters.values;
      for (let position = 0; position < masks.length; position += 1) {
        const mask = masks[position] ?? 0;
        // Each edit adds at most one letter and removes at most one.
        if (popCount(mask & ~letterMask) <= maxEdits && popCount(letterMask & ~mask) <= maxEdits)
          candidates.push(words.at(position));
      }
    }
    return candidates;
  }
}

/** Letters of the text as a 32-bit set. Letters that share a bit only add candidates. */
function letterMaskOf(text: string, start: number, end: number): number {
  let letters = 0;
  for (let position = start; position < end; position += 1) letters |= 1 << (text.charCodeAt(position) & 31);
  return letters >>> 0;
}

export function popCount(set: number): number {
  let bits = set - ((set >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** How a lexicon word matches a query word; `compound`: the query word is part of a compound. */
export type WordMatch =
  | { readonly kind: 'exact' | 'folded' | 'prefix' | 'compound' }
  | { readonly kind: 'typo'; readonly edits: number };

/** A lexicon word that matches a query word. */
export interface Alternative {
  readonly word: number;
  readonly match: WordMatch;
}

const EXACT: WordMatch = { kind: 'exact' };
const PREFIX: WordMatch = { kind: 'prefix' };
const COMPOUND: WordMatch = { kind: 'compound' };

/** Shorter words end too many others by chance. */
const MIN_COMPOUND_PART_LENGTH = 4;

/** All words of an index, numbered. Finds prefixes and suffixes by binary search; for typos, length and letter mask rule out most words. */
export class Lexicon {
  private readonly words = new WordStore();
  private readonly byLength = new WordsByLength();
  private readonly byPrefix = new SortedWords(this.words, 'front');
  private readonly bySuffix = new SortedWords(this.words, 'back');

  get size(): number {
    return this.words.size;
  }

  get bytes(): number {
    return this.words.bytes + this.byLength.bytes + this.byPrefix.bytes + this.bySuffix.bytes;
  }

  numberOf(word: string): number | undefined {
    return this.words.numberOf(word);
  }

  wordAt(number: number): string {
    return this.words.wordAt(number);
  }

  /** Adds the word at this range of the text. @returns its number */
  add(text: string, start = 0, end = text.length): number {
    const known = this.words.size;
    const number = this.words.add(text, start, end);
    if (number === known) this.byLength.add(number, end - start, letterMaskOf(text, start, end));
    return number;
  }

  /** The word itself, words with this prefix, and compounds that end with it. */
  asTyped(word: string, allowPrefix: boolean): Alternative[] {
    const exact = this.numberOf(word);
    const prefixed = allowPrefix ? this.byPrefix.matching(word) : [];
    const ending = word.length >= MIN_COMPOUND_PART_LENGTH ? this.bySuffix.matching(word) : [];
    const known = new Set(prefixed);
    return [
      ...(exact === undefined ? [] : [{ word: exact, match: EXACT }]),
      ...prefixed.filter((other) => other !== exact).map((other) => ({ word: other, match: PREFIX })),
      ...ending
        .filter((other) => other !== exact && !known.has(other))
        .map((other) => ({ word: other, match: COMPOUND })),
    ];
  }

  /** Other words within `maxEdits` typos. */
  withTypos(word: string, maxEdits: number): Alternative[] {
    if (maxEdits === 0) return [];
    const candidates = this.byLength.candidates(word.length, letterMaskOf(word, 0, word.length), maxEdits);
    const distance = word.length <= MAX_BIT_PARALLEL_LENGTH ? new EditDistance(word) : undefined;
    const found: Alternative[] = [];
    for (const number of candidates) {
      const edits = distance
        ? distance.editsTo(this.words, number)
        : (editsBetween(word, this.wordAt(number), maxEdits) ?? Infinity);
      if (edits > 0 && edits <= maxEdits) found.push({ word: number, match: { kind: 'typo', edits } });
    }
    distance?.release();
    return found;
  }
}
