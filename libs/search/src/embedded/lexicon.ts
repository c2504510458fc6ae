import { WordStore } from './word-store.js';
import { GrowingList } from './postings.js';
import { editsBetween } from '@nimo/projections';

/** As many letters as a number of bits has bits. */
const MAX_METERED_LENGTH = 32;

/** By the letter: at which places of the word it stands, a bit each. Clean between two words. */
const placesOf = new Int32Array(1 << 16);

/**
 * The typing mistakes between one word and many others, as `editsBetween` counts them. A column of its table of distances is two numbers of bits
 * here (Hyyrö 2003), so that a comparison takes a dozen steps a letter.
 */
class EditMeter {
  private readonly last: number;

  /** @param word of at most `MAX_METERED_LENGTH` letters. One meter at a time: `done` makes room for the next. */
  constructor(private readonly word: string) {
    this.last = 1 << (word.length - 1);
    for (let place = 0; place < word.length; place += 1) {
      const letter = word.charCodeAt(place);
      placesOf[letter] = (placesOf[letter] ?? 0) | (1 << place);
    }
  }

  done(): void {
    for (let place = 0; place < this.word.length; place += 1) placesOf[this.word.charCodeAt(place)] = 0;
  }

  editsTo(words: WordStore, other: number): number {
    const length = words.lengthOf(other);
    let [more, less, same, before] = [-1, 0, 0, 0];
    let edits = this.word.length;
    for (let place = 0; place < length; place += 1) {
      const here = placesOf[words.letterAt(other, place)] ?? 0;
      const swapped = ((~same & here) << 1) & before;
      same = ((((here & more) + more) | 0) ^ more) | here | less | swapped;
      const up = less | ~(same | more);
      const down = same & more;
      if ((up & this.last) !== 0) edits += 1;
      else if ((down & this.last) !== 0) edits -= 1;
      const upHere = (up << 1) | 1;
      more = (down << 1) | ~(same | upHere);
      less = upHere & same;
      before = here;
    }
    return edits;
  }
}

/** Words that are newer than the order are looked through; so many are worth putting in. */
const MAX_NEWER = 1_000;

/** The words of a store in the order of their letters, from the front or from the back: those that begin or end alike are neighbours. */
class SortedWords {
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
    if (this.words.size - this.order.length > MAX_NEWER) this.putInOrder();
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

interface SameLength {
  readonly words: GrowingList;
  /** The set of letters of each. */
  readonly letters: GrowingList;
}

/** Words by their number of letters, with the letters that they have: a mistyped one differs little in both. */
class WordsByLength {
  private readonly lengths: SameLength[] = [];

  get bytes(): number {
    return this.lengths.reduce((sum, { words, letters }) => sum + words.bytes + letters.bytes, 0);
  }

  add(word: number, length: number, letters: number): void {
    while (this.lengths.length <= length)
      this.lengths.push({ words: GrowingList.ofIntegers(), letters: GrowingList.ofIntegers() });
    this.lengths[length]?.words.push(word);
    this.lengths[length]?.letters.push(letters);
  }

  /** Those that so many mistakes may lead to, and others. */
  near(length: number, wanted: number, most: number): number[] {
    const near: number[] = [];
    for (const { words, letters } of this.lengths.slice(Math.max(0, length - most), length + most + 1)) {
      const sets = letters.filled;
      for (let place = 0; place < sets.length; place += 1) {
        const set = sets[place] ?? 0;
        // Each mistake brings in one letter at most and loses one at most.
        if (bitsOf(set & ~wanted) <= most && bitsOf(wanted & ~set) <= most) near.push(words.at(place));
      }
    }
    return near;
  }
}

/** The set of letters, as 32 bits; letters of other scripts share bits, which only lets more words through to the comparison. */
function lettersOf(text: string, start: number, end: number): number {
  let letters = 0;
  for (let place = start; place < end; place += 1) letters |= 1 << (text.charCodeAt(place) & 31);
  return letters >>> 0;
}

export function bitsOf(set: number): number {
  let bits = set - ((set >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** How a word of the lexicon answers a word of the query. */
export type WordMatch =
  | { readonly kind: 'same' | 'folded' | 'beginning' | 'part' }
  | { readonly kind: 'typo'; readonly edits: number };

/** A word of the lexicon that stands for a word of a query. */
export interface Alternative {
  readonly word: number;
  readonly match: WordMatch;
}

const SAME: WordMatch = { kind: 'same' };
const BEGINNING: WordMatch = { kind: 'beginning' };
const PART: WordMatch = { kind: 'part' };

/** Words as short as this end many others by chance. */
const MIN_PART_LENGTH = 4;

/** Every word of an index under a number. Beginnings and ends are sought in sorted order; for mistakes, two numbers decide for nearly every word. */
export class Lexicon {
  private readonly words = new WordStore();
  private readonly byLength = new WordsByLength();
  private readonly byBeginning = new SortedWords(this.words, 'front');
  private readonly byEnd = new SortedWords(this.words, 'back');

  get size(): number {
    return this.words.size;
  }

  get bytes(): number {
    return this.words.bytes + this.byLength.bytes + this.byBeginning.bytes + this.byEnd.bytes;
  }

  numberOf(word: string): number | undefined {
    return this.words.numberOf(word);
  }

  wordAt(number: number): string {
    return this.words.wordAt(number);
  }

  /** The word that stands there in the text. */
  add(text: string, start = 0, end = text.length): number {
    const known = this.words.size;
    const number = this.words.add(text, start, end);
    if (number === known) this.byLength.add(number, end - start, lettersOf(text, start, end));
    return number;
  }

  /** Words that are the one searched for, begin with it, or are compounds that end with it. */
  asTyped(word: string, mayBeBeginning: boolean): Alternative[] {
    const same = this.numberOf(word);
    const begun = mayBeBeginning ? this.byBeginning.matching(word) : [];
    const ending = word.length >= MIN_PART_LENGTH ? this.byEnd.matching(word) : [];
    const known = new Set(begun);
    return [
      ...(same === undefined ? [] : [{ word: same, match: SAME }]),
      ...begun.filter((other) => other !== same).map((other) => ({ word: other, match: BEGINNING })),
      ...ending
        .filter((other) => other !== same && !known.has(other))
        .map((other) => ({ word: other, match: PART })),
    ];
  }

  /** Other words that are so many typing mistakes away at most. */
  mistyped(word: string, most: number): Alternative[] {
    if (most === 0) return [];
    const near = this.byLength.near(word.length, lettersOf(word, 0, word.length), most);
    const meter = word.length <= MAX_METERED_LENGTH ? new EditMeter(word) : undefined;
    const found: Alternative[] = [];
    for (const number of near) {
      const edits = meter
        ? meter.editsTo(this.words, number)
        : (editsBetween(word, this.wordAt(number), most) ?? Infinity);
      if (edits > 0 && edits <= most) found.push({ word: number, match: { kind: 'typo', edits } });
    }
    meter?.done();
    return found;
  }
}
