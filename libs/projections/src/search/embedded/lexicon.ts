import { editsBetween } from '../words.js';
import { GrowingList } from './growing-list.js';

/** How a word of the lexicon answers a word of the query. */
export type WordMatch =
  { readonly kind: 'same' | 'beginning' | 'part' } | { readonly kind: 'typo'; readonly edits: number };

export interface WordSearch {
  readonly word: string;
  /** Words that begin with it count. */
  readonly beginnings: boolean;
  /** Compounds that end with it count: a chain rule is a rule, and "Kettenregel" one word. */
  readonly parts: boolean;
  readonly edits: number;
}

/** Words as short as this end many others by chance. */
const SHORTEST_PART = 4;

/** Every word of an index under a number. Found by a scan that one comparison of two bit sets decides for nearly every word. */
export class Lexicon {
  private readonly numbers = new Map<string, number>();
  private readonly words: string[] = [];
  private readonly letters = new GrowingList();

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
    return number;
  }

  /** Calls back for each word that answers the one searched for. */
  search(searched: WordSearch, found: (number: number, match: WordMatch) => void): void {
    const { word, beginnings, edits } = searched;
    const wanted = lettersOf(word);
    const parts = searched.parts && word.length >= SHORTEST_PART;
    for (let number = 0; number < this.words.length; number += 1) {
      const has = this.letters.at(number);
      const holdsAll = (wanted & ~has) === 0;
      // An edit changes the set of letters by two at most.
      const isNear = edits > 0 && bitsOf(has ^ wanted) <= 2 * edits;
      if (!isNear && !(holdsAll && (beginnings || parts)) && has !== wanted) continue;
      const match = matchOf(word, this.wordAt(number), { beginnings, parts, edits: isNear ? edits : 0 });
      if (match) found(number, match);
    }
  }
}

function matchOf(
  word: string,
  candidate: string,
  { beginnings, parts, edits }: Omit<WordSearch, 'word'>,
): WordMatch | undefined {
  if (candidate === word) return { kind: 'same' };
  if (beginnings && candidate.startsWith(word)) return { kind: 'beginning' };
  if (parts && candidate.endsWith(word)) return { kind: 'part' };
  const needed = edits > 0 ? editsBetween(word, candidate, edits) : undefined;
  return needed === undefined ? undefined : { kind: 'typo', edits: needed };
}

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
