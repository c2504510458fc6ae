import { Random } from '../community/random.js';

/** Vocabulary size of a large community; the n-th word is about n times rarer than the first. */
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

/** Texts with the word frequencies of natural language. Seeded, so that every run searches the same texts. */
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

  /** Whether a word is rare enough to be a question's subject. */
  isDistinctive(word: string): boolean {
    this.commonest ??= new Set(this.words.slice(0, COMMONEST));
    return !this.commonest.has(word);
  }

  texts(count: number): Text[] {
    return Array.from({ length: count }, () => ({
      title: this.someWords(4, 10),
      body: this.someWords(20, 140),
    }));
  }

  private newWord(min: number): string {
    const { random } = this;
    const syllables = random.between(min, min + 1 + random.below(2));
    return Array.from(
      { length: syllables },
      () => random.one(ONSETS) + random.one(VOWELS) + random.one(CODAS),
    ).join('');
  }

  private someWords(min: number, max: number): string[] {
    return Array.from({ length: this.random.between(min, max) }, () => this.someWord());
  }

  private someWord(): string {
    const target = this.random.next() * (this.shares.at(-1) ?? 0);
    let low = 0;
    for (let high = VOCABULARY - 1; low < high;) {
      const middle = (low + high) >> 1;
      if ((this.shares[middle] ?? 0) < target) low = middle + 1;
      else high = middle;
    }
    return this.words[low] ?? '';
  }
}
