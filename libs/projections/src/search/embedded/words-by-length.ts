import { GrowingList } from './growing-list.js';

interface SameLength {
  readonly words: GrowingList;
  /** The set of letters of each. */
  readonly letters: GrowingList;
}

/** Words by their number of letters, with the letters that they have: a mistyped one differs little in both. */
export class WordsByLength {
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
export function lettersOf(text: string, start: number, end: number): number {
  let letters = 0;
  for (let place = start; place < end; place += 1) letters |= 1 << (text.charCodeAt(place) & 31);
  return letters >>> 0;
}

export function bitsOf(set: number): number {
  let bits = set - ((set >>> 1) & 0x55555555);
  bits = (bits & 0x33333333) + ((bits >>> 2) & 0x33333333);
  return (((bits + (bits >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
