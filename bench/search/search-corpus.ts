import { Random } from '../community/random.js';

/** As many different words as a large community uses, the n-th of them about n times rarer than the first. */
const VOCABULARY = 80_000;
const SHORT_WORDS = 300;
const COMMONEST = 1_000;
const ZIPF = { exponent: 1.05, offset: 2.7 };
const ONSETS = 'b c d f g h k l m n p r s t v w z br ch dr fl gr kl pr sch sp st tr'.split(' ');
const VOWELS = 'a e i o u ei au ie'.split(' ');
const CODAS = ['', '', 'n', 'r', 's', 'l', 't'];

export interface Text {
  readonly title: readonly string[];
  readonly body: readonly string[];
}

/** Texts whose words are as unequally common as those of any language. Seeded: every bench searches the same. */
export class SearchCorpus {
  private readonly random = new Random(20_261_122);
  private readonly words: readonly string[];
  private readonly shares: Float64Array;
  private commonest: ReadonlySet<string> | undefined;

  constructor() {
    const words = new Set<string>();
    while (words.size < VOCABULARY) words.add(this.newWord(words.size < SHORT_WORDS ? 1 : 2));
    this.words = [...words];
    this.shares = new Float64Array(VOCABULARY);
    let sum = 0;
    for (let place = 0; place < VOCABULARY; place += 1) {
      sum += 1 / (place + ZIPF.offset) ** ZIPF.exponent;
      this.shares[place] = sum;
    }
  }

  /** What a question is about is not among the commonest words. */
  isParticular(word: string): boolean {
    this.commonest ??= new Set(this.words.slice(0, COMMONEST));
    return !this.commonest.has(word);
  }

  texts(count: number): Text[] {
    return Array.from({ length: count }, () => ({
      title: this.someWords(4, 10),
      body: this.someWords(20, 140),
    }));
  }

  private newWord(least: number): string {
    const { random } = this;
    const syllables = random.between(least, least + 1 + random.below(2));
    return Array.from(
      { length: syllables },
      () => random.one(ONSETS) + random.one(VOWELS) + random.one(CODAS),
    ).join('');
  }

  private someWords(least: number, most: number): string[] {
    return Array.from({ length: this.random.between(least, most) }, () => this.someWord());
  }

  private someWord(): string {
    const wanted = this.random.next() * (this.shares.at(-1) ?? 0);
    let low = 0;
    for (let high = VOCABULARY - 1; low < high;) {
      const middle = (low + high) >> 1;
      if ((this.shares[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return this.words[low] ?? '';
  }
}
