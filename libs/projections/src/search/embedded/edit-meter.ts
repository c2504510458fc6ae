import type { WordStore } from './word-store.js';

/** As many letters as a number of bits has bits. */
export const MAX_METERED_LENGTH = 32;

/** By the letter: at which places of the word it stands, a bit each. Clean between two words. */
const placesOf = new Int32Array(1 << 16);

/**
 * The typing mistakes between one word and many others, as `editsBetween` counts them. A column of its table of distances is two numbers of bits
 * here (Hyyrö 2003), so that a comparison takes a dozen steps a letter.
 */
export class EditMeter {
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
