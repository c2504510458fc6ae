import { IN_BODY, IN_TAGS, IN_TITLE, type InvertedIndex, PLACE_BITS, PLACES } from './inverted-index.js';
import { bitsOf, type WordMatch } from './lexicon.js';
import type { QueryWord } from './query-words.js';

export type Order<T> = (a: T, b: T) => number;

/** The first `count` of the items that are offered, in the order given, without keeping all of them. */
export class BestOf<T> {
  /** The best first. */
  readonly items: T[] = [];

  constructor(
    private readonly count: number,
    private readonly order: Order<T>,
  ) {}

  /** What has to be beaten, once there are enough. */
  get last(): T | undefined {
    return this.items.length === this.count ? this.items.at(-1) : undefined;
  }

  takes(item: T): boolean {
    const { last } = this;
    return this.count > 0 && (last === undefined || this.order(item, last) < 0);
  }

  offer(item: T): void {
    if (!this.takes(item)) return;
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

/** The specification's boosts. A word that was mistyped or is a part of a compound has no boost of a prefix. */
const TITLE_BOOST = 2;
const BODY_BOOST = 1;
const PREFIX_BOOST = 5;
/** Another spelling comes after the exact one, the beginning of a word after the word itself, and a second mistake after a first. */
const OTHERWISE_SPELLED = 0.95;
const UNFINISHED = 0.9;
const SECOND_EDIT = 0.5;
/** A part or a mistyped word found in the tags alone. */
const TAG_ALONE = 0.5;

/** What a word is worth where it stands. */
export function worthOf(match: WordMatch, places: number): number {
  const fields = (places & IN_TITLE ? TITLE_BOOST : 0) + (places & IN_BODY ? BODY_BOOST : 0);
  switch (match.kind) {
    case 'same':
      return PREFIX_BOOST + fields;
    case 'folded':
      return OTHERWISE_SPELLED * (PREFIX_BOOST + fields);
    case 'beginning':
      return UNFINISHED * (PREFIX_BOOST + fields);
    case 'part':
      return places === IN_TAGS ? TAG_ALONE : fields;
    case 'typo':
      return (places === IN_TAGS ? TAG_ALONE : fields) * (match.edits > 1 ? SECOND_EDIT : 1);
  }
}

const tableOf = (match: WordMatch): Float64Array =>
  Float64Array.from({ length: PLACES + 1 }, (_, places) => worthOf(match, places));

const TABLES = {
  same: tableOf({ kind: 'same' }),
  folded: tableOf({ kind: 'folded' }),
  beginning: tableOf({ kind: 'beginning' }),
  part: tableOf({ kind: 'part' }),
};
const ONE_EDIT = tableOf({ kind: 'typo', edits: 1 });
const TWO_EDITS = tableOf({ kind: 'typo', edits: 2 });

/** What such a word is worth, by the places. */
export function worthsOf(match: WordMatch): Float64Array {
  if (match.kind === 'typo') return match.edits > 1 ? TWO_EDITS : ONE_EDIT;
  return TABLES[match.kind];
}

/** A document must have words that tell at least this share of what the query tells; a hair less, for sums that were rounded. */
export const MIN_SHARE = 0.5 * 0.999;

/** What a word tells that so many of all documents have: the rarer, the more. */
export const tellingOf = (documents: number, all: number): number => Math.log(1 + all / (documents + 1));

/** Neighbours in the query that are neighbours in the title, and a title that says little else. */
const NEIGHBOURS = 1;
const WHOLE_TITLE = 2;

/** What a title adds: words side by side as in the query, and little else. As a share of what the document tells. */
export class TitleBonus {
  private readonly places = new Map<number, number>();

  constructor(
    private readonly index: InvertedIndex,
    words: readonly QueryWord[],
  ) {
    words.forEach(({ alternatives }, place) => {
      for (const { word } of alternatives) if (!this.places.has(word)) this.places.set(word, place);
    });
  }

  /** @param found the query's words that stand in the title, a bit each */
  bonusOf(document: number, found: number): number {
    const count = bitsOf(found);
    if (count === 0) return 0;
    // A title that repeats itself has no more neighbours than the query.
    const neighbours = count > 1 ? Math.min(this.neighboursIn(document), count - 1) / count : 0;
    return NEIGHBOURS * neighbours + this.briefnessOf(document, count);
  }

  /** No less than the bonus, without a look at the title. */
  mostOf(document: number, found: number): number {
    const count = bitsOf(found);
    return count === 0 ? 0 : NEIGHBOURS * ((count - 1) / count) + this.briefnessOf(document, count);
  }

  private briefnessOf(document: number, count: number): number {
    const length = Math.max(this.index.titleLengthAt(document), count);
    return WHOLE_TITLE * (count / length);
  }

  private neighboursIn(document: number): number {
    let neighbours = 0;
    let previous = -2;
    for (let place = 0; place < this.index.titleLengthAt(document); place += 1) {
      const word = this.places.get(this.index.titleWordAt(document, place)) ?? -2;
      if (word === previous + 1) neighbours += 1;
      previous = word;
    }
    return neighbours;
  }
}

/**
 * What a query adds up for each document, in flat arrays that one query after the other uses: a query runs in one go, and making
 * them anew for each would take longer than most queries.
 */
export class ScoreBoard {
  score = new Float64Array();
  /** The best of what stands for the word of the query that is being added; zero between two words. */
  private worth = new Float64Array();
  /** Which words of the query the document has, and which of them in its title, a bit each. */
  words = new Uint16Array();
  inTitle = new Uint16Array();
  /** The documents that have any, in the order in which they were met. */
  touched = new Uint32Array();
  touchedCount = 0;
  /** The documents that have the word which is being added. */
  private found = new Uint32Array();
  private foundCount = 0;

  /** Clean, for documents with numbers below the room. */
  prepare(room: number): this {
    if (room > this.score.length) this.grow(Math.ceil(room * 1.25));
    else this.clean();
    this.touchedCount = 0;
    return this;
  }

  /** A document with the word that is being added; of all that stands for the word, the best counts. */
  note(posting: number, worths: Float64Array, bit: number): void {
    const document = posting >>> PLACE_BITS;
    const places = posting & PLACES;
    const before = this.worth[document] ?? 0;
    const worth = worths[places] ?? 0;
    if (before === 0) {
      this.found[this.foundCount] = document;
      this.foundCount += 1;
    }
    if (worth > before) this.worth[document] = worth;
    if (places & IN_TITLE) this.inTitle[document] = (this.inTitle[document] ?? 0) | bit;
  }

  /** The word is complete: its worths go into the scores. */
  addFound(bit: number, telling: number): void {
    const { score, worth, words, touched, found } = this;
    for (let place = 0; place < this.foundCount; place += 1) {
      const document = found[place] ?? 0;
      if (words[document] === 0) {
        touched[this.touchedCount] = document;
        this.touchedCount += 1;
      }
      words[document] = (words[document] ?? 0) | bit;
      score[document] = (score[document] ?? 0) + telling * (worth[document] ?? 0);
      worth[document] = 0;
    }
    this.foundCount = 0;
  }

  private clean(): void {
    const { score, words, inTitle, touched, touchedCount } = this;
    for (let place = 0; place < touchedCount; place += 1) {
      const document = touched[place] ?? 0;
      score[document] = 0;
      words[document] = 0;
      inTitle[document] = 0;
    }
  }

  private grow(room: number): void {
    this.score = new Float64Array(room);
    this.worth = new Float64Array(room);
    this.words = new Uint16Array(room);
    this.inTitle = new Uint16Array(room);
    this.touched = new Uint32Array(room);
    this.found = new Uint32Array(room);
  }
}
