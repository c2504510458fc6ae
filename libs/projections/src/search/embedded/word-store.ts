import { GrowingList } from './growing-list.js';
import { HashedNumbers, mixed, spread } from './hashed.js';

const FIRST = 0x811c9dc5;

/** Every word under a number, its letters one after the other in one flat array: nothing is made of a text that is only looked through. */
export class WordStore {
  private readonly letters = new GrowingList(new Uint16Array(1 << 10));
  private readonly ends = GrowingList.ofIntegers();
  private readonly hashed = new HashedNumbers((word) => this.hashAt(word));

  get size(): number {
    return this.ends.length;
  }

  get bytes(): number {
    return this.letters.bytes + this.ends.bytes + this.hashed.bytes;
  }

  startOf(word: number): number {
    return word === 0 ? 0 : this.ends.at(word - 1);
  }

  lengthOf(word: number): number {
    return this.ends.at(word) - this.startOf(word);
  }

  letterAt(word: number, place: number): number {
    return this.letters.at(this.startOf(word) + place);
  }

  wordAt(word: number): string {
    return word < this.size
      ? String.fromCharCode(...this.letters.filled.subarray(this.startOf(word), this.ends.at(word)))
      : '';
  }

  /** Of the word that stands there in the text. */
  numberOf(text: string, start = 0, end = text.length): number | undefined {
    return this.find(hashIn(text, start, end), text, start, end);
  }

  add(text: string, start = 0, end = text.length): number {
    const hash = hashIn(text, start, end);
    const known = this.find(hash, text, start, end);
    if (known !== undefined) return known;
    for (let place = start; place < end; place += 1) this.letters.push(text.charCodeAt(place));
    const number = this.ends.length;
    this.ends.push(this.letters.length);
    this.hashed.add(hash, number);
    return number;
  }

  private find(hash: number, text: string, start: number, end: number): number | undefined {
    return this.hashed.find(hash, (word) => this.isAt(word, text, start, end));
  }

  private isAt(word: number, text: string, start: number, end: number): boolean {
    const from = this.startOf(word);
    if (this.ends.at(word) - from !== end - start) return false;
    for (let place = start; place < end; place += 1)
      if (this.letters.at(from + place - start) !== text.charCodeAt(place)) return false;
    return true;
  }

  private hashAt(word: number): number {
    let hash = FIRST;
    const end = this.ends.at(word);
    for (let place = this.startOf(word); place < end; place += 1) hash = mixed(hash, this.letters.at(place));
    return spread(hash);
  }
}

function hashIn(text: string, start: number, end: number): number {
  let hash = FIRST;
  for (let place = start; place < end; place += 1) hash = mixed(hash, text.charCodeAt(place));
  return spread(hash);
}
