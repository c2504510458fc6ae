import { editsBetween } from '../words.js';
import { EditMeter, MAX_METERED_LENGTH } from './edit-meter.js';
import { SortedWords } from './sorted-words.js';
import { WordStore } from './word-store.js';
import { lettersOf, WordsByLength } from './words-by-length.js';

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
