import { editsBetween } from '../words.js';
import { GrowingList } from './growing-list.js';

/** How a word of the lexicon answers a word of the query. */
export type WordMatch =
  { readonly kind: 'same' | 'beginning' | 'part' } | { readonly kind: 'typo'; readonly edits: number };

/** A word of the lexicon that stands for a word of a query. */
export interface Alternative {
  readonly word: number;
  readonly match: WordMatch;
}

const SAME: WordMatch = { kind: 'same' };
const BEGINNING: WordMatch = { kind: 'beginning' };
const PART: WordMatch = { kind: 'part' };

/** Words as short as this end many others by chance. */
const SHORTEST_PART = 4;

/** Every word of an index under a number. Found by scans in which one comparison of two numbers decides for nearly every word. */
export class Lexicon {
  private readonly numbers = new Map<string, number>();
  private readonly words: string[] = [];
  private readonly letters = new GrowingList();
  private readonly heads = new GrowingList();
  private readonly tails = new GrowingList();

  get size(): number {
    return this.words.length;
  }

  numberOf(word: string): number | undefined {
    return this.numbers.get(word);
  }

  wordAt(number: number): string {
    return this.words[number] ?? '';
  }

  add(word: string): number {
    const known = this.numbers.get(word);
    if (known !== undefined) return known;
    const number = this.words.length;
    // Cut out of a long text, it would keep that text alive.
    const own = Buffer.from(word).toString();
    this.numbers.set(own, number);
    this.words.push(own);
    this.letters.push(lettersOf(word));
    this.heads.push(headOf(word));
    this.tails.push(tailOf(word));
    return number;
  }

  /** Words that are the one searched for, begin with it, or are compounds that end with it. */
  asTyped(word: string, mayBeBeginning: boolean): Alternative[] {
    const same = this.numberOf(word);
    return [
      ...(same === undefined ? [] : [{ word: same, match: SAME }]),
      ...(mayBeBeginning ? this.begunWith(word) : []),
      ...(word.length >= SHORTEST_PART ? this.endingWith(word, mayBeBeginning) : []),
    ];
  }

  private begunWith(word: string): Alternative[] {
    const found: Alternative[] = [];
    const [wanted, mask] = [headOf(word), maskOf(word)];
    const heads = this.heads.filled;
    for (let number = 0; number < heads.length; number += 1) {
      if ((((heads[number] ?? 0) ^ wanted) & mask) !== 0) continue;
      const candidate = this.wordAt(number);
      if (candidate.length > word.length && candidate.startsWith(word))
        found.push({ word: number, match: BEGINNING });
    }
    return found;
  }

  /** @param isBegun those that begin with it as well were found already */
  private endingWith(word: string, isBegun: boolean): Alternative[] {
    const found: Alternative[] = [];
    const wanted = tailOf(word);
    const tails = this.tails.filled;
    for (let number = 0; number < tails.length; number += 1) {
      if (tails[number] !== wanted) continue;
      const candidate = this.wordAt(number);
      if (candidate.length === word.length || !candidate.endsWith(word)) continue;
      if (!isBegun || !candidate.startsWith(word)) found.push({ word: number, match: PART });
    }
    return found;
  }

  /** Other words that are so many typing mistakes away at most. */
  mistyped(word: string, most: number): Alternative[] {
    const found: Alternative[] = [];
    if (most === 0) return found;
    const wanted = lettersOf(word);
    const letters = this.letters.filled;
    for (let number = 0; number < letters.length; number += 1) {
      // A mistake changes the set of letters by two at most.
      if (bitsOf((letters[number] ?? 0) ^ wanted) > 2 * most) continue;
      const edits = editsBetween(word, this.wordAt(number), most);
      if (edits !== undefined && edits > 0) found.push({ word: number, match: { kind: 'typo', edits } });
    }
    return found;
  }
}

const LETTERS_KEPT = 3;
const LETTER_BITS = 10;

/** The first letters in one number, as far as they have room: a number that differs is another word's, an equal one may be. */
function headOf(word: string): number {
  let head = 0;
  for (let place = 0; place < LETTERS_KEPT; place += 1) {
    head = (head << LETTER_BITS) | ((word.charCodeAt(place) || 0) & ((1 << LETTER_BITS) - 1));
  }
  return head;
}

const tailOf = (word: string): number => headOf(word.slice(-LETTERS_KEPT));

/** Of a head only the letters that a beginning has. */
const maskOf = (beginning: string): number =>
  -1 << (LETTER_BITS * Math.max(0, LETTERS_KEPT - beginning.length));

/** The set of letters, as 32 bits; letters of other scripts share bits, which only lets more words through to the comparison. */
function lettersOf(word: string): number {
  let letters = 0;
  for (let place = 0; place < word.length; place += 1) letters |= 1 << (word.charCodeAt(place) & 31);
  return letters >>> 0;
}

export function bitsOf(set: number): number {
  let bits = set - ((set >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
