import { IN_BODY, IN_TAGS, IN_TITLE, type InvertedIndex, FIELD_BITS, FIELD_MASK } from './inverted-index.js';
import { popCount, type WordMatch } from './lexicon.js';
import type { QueryWord } from './query-words.js';

export type Order<T> = (a: T, b: T) => number;

/** The first `count` of all offered items in the given order. */
export class TopItems<T> {
  /** Best first. */
  readonly items: T[] = [];

  constructor(
    private readonly count: number,
    private readonly order: Order<T>,
  ) {}

  /** The item to beat, once full. */
  get last(): T | undefined {
    return this.items.length === this.count ? this.items.at(-1) : undefined;
  }

  admits(item: T): boolean {
    const { last } = this;
    return this.count > 0 && (last === undefined || this.order(item, last) < 0);
  }

  offer(item: T): void {
    if (!this.admits(item)) return;
    let low = 0;
    for (let high = this.items.length; low < high;) {
      const middle = (low + high) >> 1;
      const other = this.items[middle];
      if (other !== undefined && this.order(other, item) <= 0) low = middle + 1;
      else high = middle;
    }
    this.items.splice(low, 0, item);
    if (this.items.length > this.count) this.items.pop();
  }
}

/** Boosts of the specification. Typo and compound matches do not get the prefix boost. */
const TITLE_BOOST = 2;
const BODY_BOOST = 1;
const PREFIX_BOOST = 5;
/** Ranks other spellings below the exact one, prefixes below whole words, and two edits below one. */
const FOLDED_FACTOR = 0.95;
const PREFIX_FACTOR = 0.9;
const SECOND_EDIT_FACTOR = 0.5;
/** For a compound or typo match in the tags only. */
const TAG_ONLY_BOOST = 0.5;

/** Boost of a match in these fields. */
export function boostOf(match: WordMatch, fields: number): number {
  const fieldBoost = (fields & IN_TITLE ? TITLE_BOOST : 0) + (fields & IN_BODY ? BODY_BOOST : 0);
  switch (match.kind) {
    case 'exact':
      return PREFIX_BOOST + fieldBoost;
    case 'folded':
      return FOLDED_FACTOR * (PREFIX_BOOST + fieldBoost);
    case 'prefix':
      return PREFIX_FACTOR * (PREFIX_BOOST + fieldBoost);
    case 'compound':
      return fields === IN_TAGS ? TAG_ONLY_BOOST : fieldBoost;
    case 'typo':
      return (fields === IN_TAGS ? TAG_ONLY_BOOST : fieldBoost) * (match.edits > 1 ? SECOND_EDIT_FACTOR : 1);
  }
}

const tableOf = (match: WordMatch): Float64Array =>
  Float64Array.from({ length: FIELD_MASK + 1 }, (_, fields) => boostOf(match, fields));

const TABLES = {
  exact: tableOf({ kind: 'exact' }),
  folded: tableOf({ kind: 'folded' }),
  prefix: tableOf({ kind: 'prefix' }),
  compound: tableOf({ kind: 'compound' }),
};
const ONE_EDIT = tableOf({ kind: 'typo', edits: 1 });
const TWO_EDITS = tableOf({ kind: 'typo', edits: 2 });

/** Boosts of a match, by field bits. */
export function boostsOf(match: WordMatch): Float64Array {
  if (match.kind === 'typo') return match.edits > 1 ? TWO_EDITS : ONE_EDIT;
  return TABLES[match.kind];
}

/** Share of the query's total weight that a document must match, minus a tolerance for rounding. */
export const MIN_COVERAGE = 0.5 * 0.999;

/** Inverse document frequency. */
export const idfOf = (documents: number, all: number): number => Math.log(1 + all / (documents + 1));

/** For query neighbours that are adjacent in the title, and for titles with few other words. */
const ADJACENCY_BONUS = 1;
const FULL_TITLE_BONUS = 2;

/** Bonus for adjacent query words and brevity of the title, as a factor of the document's coverage. */
export class TitleBonus {
  private readonly queryPositions = new Map<number, number>();

  constructor(
    private readonly index: InvertedIndex,
    words: readonly QueryWord[],
  ) {
    words.forEach(({ alternatives }, position) => {
      for (const { word } of alternatives)
        if (!this.queryPositions.has(word)) this.queryPositions.set(word, position);
    });
  }

  /** @param found query words in the title, as bits */
  bonusOf(document: number, found: number): number {
    const count = popCount(found);
    if (count === 0) return 0;
    // Repeated words in the title count at most as often as in the query.
    const neighbours = count > 1 ? Math.min(this.neighboursIn(document), count - 1) / count : 0;
    return ADJACENCY_BONUS * neighbours + this.brevityOf(document, count);
  }

  /** Upper bound of the bonus, without reading the title. */
  upperBound(document: number, found: number): number {
    const count = popCount(found);
    return count === 0 ? 0 : ADJACENCY_BONUS * ((count - 1) / count) + this.brevityOf(document, count);
  }

  private brevityOf(document: number, count: number): number {
    const length = Math.max(this.index.titleLengthAt(document), count);
    return FULL_TITLE_BONUS * (count / length);
  }

  private neighboursIn(document: number): number {
    let neighbours = 0;
    let previous = -2;
    for (let position = 0; position < this.index.titleLengthAt(document); position += 1) {
      const word = this.queryPositions.get(this.index.titleWordAt(document, position)) ?? -2;
      if (word === previous + 1) neighbours += 1;
      previous = word;
    }
    return neighbours;
  }
}

/**
 * Accumulates scores by document in flat arrays. Queries run synchronously and share the arrays; allocating them would take longer than
 * most queries.
 */
export class ScoreBoard {
  score = new Float64Array();
  /** Best boost for the current query word; zero between words. */
  private boost = new Float64Array();
  /** Query words in the document and in its title, as bits. */
  words = new Uint16Array();
  inTitle = new Uint16Array();
  /** Documents with any query word, in order of discovery. */
  touched = new Uint32Array();
  touchedCount = 0;
  /** Documents with the current query word. */
  private found = new Uint32Array();
  private foundCount = 0;

  /** Resets the board for document numbers below `slotCount`. */
  prepare(slotCount: number): this {
    if (slotCount > this.score.length) this.grow(Math.ceil(slotCount * 1.25));
    else this.clean();
    this.touchedCount = 0;
    return this;
  }

  /** Records a match of the current query word; the best match per document counts. */
  record(posting: number, boosts: Float64Array, bit: number): void {
    const document = posting >>> FIELD_BITS;
    const fields = posting & FIELD_MASK;
    const before = this.boost[document] ?? 0;
    const boost = boosts[fields] ?? 0;
    if (before === 0) {
      this.found[this.foundCount] = document;
      this.foundCount += 1;
    }
    if (boost > before) this.boost[document] = boost;
    if (fields & IN_TITLE) this.inTitle[document] = (this.inTitle[document] ?? 0) | bit;
  }

  /** Adds the recorded boosts of the current word to the scores. */
  commitWord(bit: number, weight: number): void {
    const { score, boost, words, touched, found } = this;
    for (let position = 0; position < this.foundCount; position += 1) {
      const document = found[position] ?? 0;
      if (words[document] === 0) {
        touched[this.touchedCount] = document;
        this.touchedCount += 1;
      }
      words[document] = (words[document] ?? 0) | bit;
      score[document] = (score[document] ?? 0) + weight * (boost[document] ?? 0);
      boost[document] = 0;
    }
    this.foundCount = 0;
  }

  private clean(): void {
    const { score, words, inTitle, touched, touchedCount } = this;
    for (let position = 0; position < touchedCount; position += 1) {
      const document = touched[position] ?? 0;
      score[document] = 0;
      words[document] = 0;
      inTitle[document] = 0;
    }
  }

  private grow(slotCount: number): void {
    this.score = new Float64Array(slotCount);
    this.boost = new Float64Array(slotCount);
    this.words = new Uint16Array(slotCount);
    this.inTitle = new Uint16Array(slotCount);
    this.touched = new Uint32Array(slotCount);
    this.found = new Uint32Array(slotCount);
  }
}
