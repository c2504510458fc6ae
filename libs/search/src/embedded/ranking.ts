import {
  TopItems,
  MIN_COVERAGE,
  type Order,
  ScoreBoard,
  idfOf,
  TitleBonus,
  boostsOf,
} from './score-board.js';
import { type InvertedIndex, FIELD_BITS, FIELD_MASK } from './inverted-index.js';
import type { QueryWord, Conjunction } from './query-words.js';

/** Approximate steps of a binary search among 100,000 postings. */
const BINARY_SEARCH_STEPS = 16;
/** Floating-point sums depend on the order of the terms. */
const ROUNDING_TOLERANCE = 0.999;

/** A query word with its weight (inverse document frequency). */
interface WeightedWord {
  readonly word: QueryWord;
  /** Identifies the word on the score board. */
  readonly bit: number;
  readonly weight: number;
}

interface PostingScan {
  /** By field bits. */
  readonly boosts: Float64Array;
  readonly bit: number;
  readonly addsDocuments: boolean;
}

/** A document with its score. */
export interface Candidate {
  readonly document: number;
  readonly score: number;
}

const board = new ScoreBoard();

/** Scores an index against one query. Exact: only skips documents that cannot be among the best. Synchronous use only, because the board is shared. */
export class Ranking {
  private readonly board: ScoreBoard;
  private readonly weighted: readonly WeightedWord[];
  private readonly minCoverage: number;
  /** Sum of weights, by word bits. */
  private readonly coverageBy: Float64Array;

  constructor(
    private readonly index: InvertedIndex,
    private readonly words: readonly QueryWord[],
  ) {
    this.board = board.prepare(index.slotCount);
    this.weighted = weightedWords(index, words);
    this.coverageBy = coverageBy(this.weighted, words.length);
    this.minCoverage = MIN_COVERAGE * (this.coverageBy.at(-1) ?? 0);
    this.addAll();
  }

  /** Returns the best documents, best first. */
  best(count: number, order: Order<Candidate>, accepts: (document: number) => boolean): Candidate[] {
    const { score, words, inTitle, touched, touchedCount } = this.board;
    const titles = new TitleBonus(this.index, this.words);
    const best = new TopItems(count, order);
    let worstScore = -1;
    for (let position = 0; position < touchedCount; position += 1) {
      const document = touched[position] ?? 0;
      const coverage = this.coverageBy[words[document] ?? 0] ?? 0;
      if (coverage < this.minCoverage) continue;
      const [base, found] = [score[document] ?? 0, inTitle[document] ?? 0];
      if (base + titles.upperBound(document, found) * coverage < worstScore || !accepts(document)) continue;
      best.offer({ document, score: base + titles.bonusOf(document, found) * coverage });
      worstScore = best.last?.score ?? -1;
    }
    return best.items;
  }

  /** Ranks only the documents with the highest coverage; otherwise a new document with half of the words would precede an older one with all. */
  bestCovered(count: number, order: Order<number>, accepts: (document: number) => boolean): number[] {
    const { words, touched, touchedCount } = this.board;
    const coverage = (document: number) => this.coverageBy[words[document] ?? 0] ?? 0;
    let maxCoverage = this.minCoverage;
    for (let position = 0; position < touchedCount; position += 1) {
      const document = touched[position] ?? 0;
      if (coverage(document) > maxCoverage && accepts(document)) maxCoverage = coverage(document);
    }
    const best = new TopItems(count, order);
    for (let position = 0; position < touchedCount; position += 1) {
      const document = touched[position] ?? 0;
      if (
        coverage(document) >= maxCoverage * ROUNDING_TOLERANCE &&
        best.admits(document) &&
        accepts(document)
      )
        best.offer(document);
    }
    return best.items;
  }

  /** Adds the heaviest words first. Once the rest cannot reach the minimum coverage, it only adds to documents already found. */
  private addAll(): void {
    let rest = this.coverageBy.at(-1) ?? 0;
    for (const word of this.weighted) {
      this.add(word, rest >= this.minCoverage);
      rest -= word.weight;
    }
  }

  private add(
    { word: { alternatives, conjunctions }, bit, weight }: WeightedWord,
    addsDocuments: boolean,
  ): void {
    for (const { word, match } of alternatives) {
      for (const postings of this.index.postingsOf(word))
        this.find(postings, { boosts: boostsOf(match), bit, addsDocuments });
    }
    for (const all of conjunctions)
      this.find(postingsOfAll(this.index, all), { boosts: boostsOf(all.match), bit, addsDocuments });
    this.board.commitWord(bit, weight);
  }

  private find(postings: Uint32Array, { boosts, bit, addsDocuments }: PostingScan): void {
    const { board } = this;
    if (addsDocuments) for (const posting of postings) board.record(posting, boosts, bit);
    else if (board.touchedCount * BINARY_SEARCH_STEPS < postings.length) this.lookUp(postings, boosts, bit);
    else {
      for (const posting of postings) {
        if (board.words[posting >>> FIELD_BITS] !== 0) board.record(posting, boosts, bit);
      }
    }
  }

  /** Binary search, as postings are in document order. */
  private lookUp(postings: Uint32Array, boosts: Float64Array, bit: number): void {
    const { touched, touchedCount } = this.board;
    for (let position = 0; position < touchedCount; position += 1) {
      const document = touched[position] ?? 0;
      let low = 0;
      for (let high = postings.length; low < high;) {
        const middle = (low + high) >> 1;
        if ((postings[middle] ?? 0) >>> FIELD_BITS < document) low = middle + 1;
        else high = middle;
      }
      const posting = postings[low];
      if (posting !== undefined && posting >>> FIELD_BITS === document)
        this.board.record(posting, boosts, bit);
    }
  }
}

/** Heaviest words first; skips words that no document contains. */
function weightedWords(index: InvertedIndex, words: readonly QueryWord[]): WeightedWord[] {
  const frequency = (word: number) => index.frequencyOf(word);
  return words
    .flatMap((word, position): WeightedWord[] => {
      const documents =
        word.alternatives.reduce((sum, { word }) => sum + frequency(word), 0) +
        word.conjunctions.reduce((sum, { words }) => sum + Math.min(...words.map(frequency)), 0);
      return documents === 0 ? [] : [{ word, bit: 1 << position, weight: idfOf(documents, index.slotCount) }];
    })
    .sort((a, b) => b.weight - a.weight);
}

function coverageBy(weight: readonly WeightedWord[], count: number): Float64Array {
  const coverage = new Float64Array(1 << count);
  for (let words = 1; words < coverage.length; words += 1) {
    for (const word of weight) if (words & word.bit) coverage[words] = (coverage[words] ?? 0) + word.weight;
  }
  return coverage;
}

/** Documents that contain all words. Halves of a compound may be in different fields, n-grams must share one. */
function postingsOfAll(index: InvertedIndex, { words, match }: Conjunction): Uint32Array {
  const [first = new Uint32Array(), ...others] = words.map((word) => concatenated(index.postingsOf(word)));
  const needsCommonField = match.kind !== 'compound';
  return others.reduce((all, postings) => intersection(all, postings, needsCommonField), first);
}

/** Postings of the second list whose documents are in the first. */
function intersection(first: Uint32Array, second: Uint32Array, needsCommonField: boolean): Uint32Array {
  const both: number[] = [];
  let position = 0;
  for (const posting of second) {
    const document = posting >>> FIELD_BITS;
    while (position < first.length && (first[position] ?? 0) >>> FIELD_BITS < document) position += 1;
    const other = first[position];
    if (other === undefined) break;
    if (other >>> FIELD_BITS !== document) continue;
    const common = needsCommonField ? (posting & other) >>> 0 : posting;
    if ((common & FIELD_MASK) !== 0) both.push(common);
  }
  return Uint32Array.from(both);
}

function concatenated([older, newer]: readonly [Uint32Array, Uint32Array]): Uint32Array {
  if (newer.length === 0) return older;
  const all = new Uint32Array(older.length + newer.length);
  all.set(older);
  all.set(newer, older.length);
  return all;
}
