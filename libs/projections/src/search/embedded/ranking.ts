import { IN_BODY, IN_TAGS, IN_TITLE, type InvertedIndex, PLACE_BITS, PLACES } from './inverted-index.js';
import { bitsOf, type WordMatch } from './lexicon.js';
import type { QueryWord } from './query-words.js';

/** The specification's boosts. A word that was mistyped or is a part of a compound has no boost of a prefix. */
const TITLE_BOOST = 2;
const BODY_BOOST = 1;
const PREFIX_BOOST = 5;
/** What is only the beginning of a word comes after the word itself, and a second mistake after a first. */
const UNFINISHED = 0.9;
const SECOND_EDIT = 0.5;
/** A part or a mistyped word found in the tags alone. */
const TAG_ALONE = 0.5;
/** Neighbours in the query that are neighbours in the title, and a title that says little else. */
const NEIGHBOURS = 1;
const WHOLE_TITLE = 2;
/** A document must have words that tell at least this share of what the query tells. */
const LEAST_SHARE = 0.5;
/** Steps of finding one document among a hundred thousand. */
const LOOK_UP_STEPS = 16;

/** What a word is worth where it stands. */
function worthOf(match: WordMatch, places: number): number {
  const fields = (places & IN_TITLE ? TITLE_BOOST : 0) + (places & IN_BODY ? BODY_BOOST : 0);
  switch (match.kind) {
    case 'same':
      return PREFIX_BOOST + fields;
    case 'beginning':
      return UNFINISHED * (PREFIX_BOOST + fields);
    case 'part':
      return places === IN_TAGS ? TAG_ALONE : fields;
    case 'typo':
      return (places === IN_TAGS ? TAG_ALONE : fields) * (match.edits > 1 ? SECOND_EDIT : 1);
  }
}

const worthsOf = (match: WordMatch): readonly number[] =>
  Array.from({ length: PLACES + 1 }, (_, places) => worthOf(match, places));

/** A word with how much it tells. */
interface Weighed {
  readonly word: QueryWord;
  /** Of the word in `inTitle`. */
  readonly bit: number;
  readonly telling: number;
  readonly isFound: boolean;
}

/** A document with the sum of what the query's words are worth there. */
export interface Candidate {
  readonly document: number;
  readonly score: number;
  /** How much of what the query tells is in it. */
  readonly told: number;
}

/** Scores of one query over an index: every document with a word of the query is looked at, none is guessed. */
export class Scores {
  private readonly score: Float32Array;
  private readonly told: Float32Array;
  /** Which words of the query stand in the title, a bit each. */
  private readonly inTitle: Uint16Array;
  private readonly worth: Float32Array;
  private readonly touched: number[] = [];
  private toldByAll = 0;

  constructor(
    private readonly index: InvertedIndex,
    private readonly words: readonly QueryWord[],
  ) {
    this.score = new Float32Array(index.room);
    this.told = new Float32Array(index.room);
    this.inTitle = new Uint16Array(index.room);
    this.worth = new Float32Array(index.room);
    this.addAll(words.map((word, place) => ({ word, bit: 1 << place, ...this.tellingOf(word) })));
  }

  /** Documents that tell enough. */
  candidates(accepts: (document: number) => boolean): Candidate[] {
    const least = this.least();
    const titles = new TitleBonus(this.index, this.words);
    const candidates: Candidate[] = [];
    for (const document of this.touched) {
      const told = this.told[document] ?? 0;
      if (told < least || !accepts(document)) continue;
      const bonus = titles.bonusOf(document, this.inTitle[document] ?? 0) * told;
      candidates.push({ document, told, score: (this.score[document] ?? 0) + bonus });
    }
    return candidates;
  }

  /** A hair less than the share, for sums that were rounded. */
  private least(): number {
    return LEAST_SHARE * this.toldByAll * 0.999;
  }

  /** Rare words tell more. */
  private tellingOf({ alternatives, halves }: QueryWord): {
    readonly telling: number;
    readonly isFound: boolean;
  } {
    const { index } = this;
    const documents =
      alternatives.reduce((sum, { word }) => sum + index.frequencyOf(word), 0) +
      halves.reduce(
        (sum, [first, second]) => sum + Math.min(index.frequencyOf(first), index.frequencyOf(second)),
        0,
      );
    return { telling: Math.log(1 + index.room / (documents + 1)), isFound: documents > 0 };
  }

  /** The most telling words first: once the rest cannot tell enough, it only adds to documents that are known. */
  private addAll(words: readonly Weighed[]): void {
    const telling = words.filter(({ isFound }) => isFound).sort((a, b) => b.telling - a.telling);
    this.toldByAll = telling.reduce((sum, word) => sum + word.telling, 0);
    let rest = this.toldByAll;
    for (const word of telling) {
      this.add(word, rest >= this.least());
      rest -= word.telling;
    }
  }

  private add({ word, bit, telling }: Weighed, takesNew: boolean): void {
    const { worth, told, score } = this;
    const found = this.find(word, bit, takesNew);
    for (const document of found) {
      if (told[document] === 0) this.touched.push(document);
      score[document] = (score[document] ?? 0) + telling * (worth[document] ?? 0);
      told[document] = (told[document] ?? 0) + telling;
      worth[document] = 0;
    }
  }

  /** Documents with the word; their best worth is left in `worth`. */
  private find({ alternatives, halves }: QueryWord, bit: number, takesNew: boolean): number[] {
    const found: number[] = [];
    for (const { word, match } of alternatives) {
      const postings = this.index.postingsOf(word);
      const worths = worthsOf(match);
      const isLookUpCheaper = !takesNew && this.touched.length * LOOK_UP_STEPS < postings.length;
      if (isLookUpCheaper) this.lookUp(postings, (posting) => this.note(posting, worths, bit, found));
      else this.scan(postings, takesNew, (posting) => this.note(posting, worths, bit, found));
    }
    for (const [first, second] of halves) {
      const withFirst = new Set(this.index.postingsOf(first).map((posting) => posting >>> PLACE_BITS));
      const worths = worthsOf({ kind: 'part' });
      this.scan(this.index.postingsOf(second), takesNew, (posting) => {
        if (withFirst.has(posting >>> PLACE_BITS)) this.note(posting, worths, bit, found);
      });
    }
    return found;
  }

  private scan(postings: Uint32Array, takesNew: boolean, visit: (posting: number) => void): void {
    for (const posting of postings) {
      if (takesNew || this.told[posting >>> PLACE_BITS] !== 0) visit(posting);
    }
  }

  /** Documents are in the order of their numbers. */
  private lookUp(postings: Uint32Array, visit: (posting: number) => void): void {
    for (const document of this.touched) {
      let low = 0;
      for (let high = postings.length; low < high;) {
        const middle = (low + high) >> 1;
        if ((postings[middle] ?? 0) >>> PLACE_BITS < document) low = middle + 1;
        else high = middle;
      }
      const posting = postings[low];
      if (posting !== undefined && posting >>> PLACE_BITS === document) visit(posting);
    }
  }

  private note(posting: number, worths: readonly number[], bit: number, found: number[]): void {
    const { worth, inTitle } = this;
    const document = posting >>> PLACE_BITS;
    const places = posting & PLACES;
    const before = worth[document] ?? 0;
    const value = worths[places] ?? 0;
    if (before === 0) found.push(document);
    if (value > before) worth[document] = value;
    if (places & IN_TITLE) inTitle[document] = (inTitle[document] ?? 0) | bit;
  }
}

/** What a title adds: words side by side as in the query, and little else. As a share of what the document tells. */
class TitleBonus {
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
    const neighbours = count > 1 ? this.neighboursIn(document) / count : 0;
    const length = Math.max(this.index.titleLengthAt(document), count);
    return NEIGHBOURS * neighbours + WHOLE_TITLE * (count / length);
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
