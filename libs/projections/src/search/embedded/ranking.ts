import { IN_BODY, IN_TAGS, IN_TITLE, type InvertedIndex, PLACES } from './inverted-index.js';
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
const WHOLE_TITLE = 0.5;
/** A document must have words that tell at least this share of what the query tells. */
const LEAST_SHARE = 0.5;

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
    words.forEach((word, place) => this.add(word, 1 << place));
  }

  /** Documents that tell enough. */
  *candidates(): Generator<Candidate> {
    // A hair less, for sums that were rounded.
    const least = LEAST_SHARE * this.toldByAll * 0.999;
    const titles = new TitleBonus(this.index, this.words);
    for (const document of this.touched) {
      const told = this.told[document] ?? 0;
      if (told < least) continue;
      const bonus = titles.bonusOf(document, this.inTitle[document] ?? 0) * told;
      yield { document, told, score: (this.score[document] ?? 0) + bonus };
    }
  }

  private add(word: QueryWord, bit: number): void {
    const found = this.find(word, bit);
    if (found.length === 0) return;
    const telling = Math.log(1 + this.index.size / found.length);
    for (const document of found) {
      if (this.told[document] === 0) this.touched.push(document);
      this.score[document] = (this.score[document] ?? 0) + telling * (this.worth[document] ?? 0);
      this.told[document] = (this.told[document] ?? 0) + telling;
      this.worth[document] = 0;
    }
    this.toldByAll += telling;
  }

  /** Documents with the word; their best worth is left in `worth`. */
  private find({ alternatives, halves }: QueryWord, bit: number): number[] {
    const { index, worth, inTitle } = this;
    const found: number[] = [];
    const note = (document: number, places: number, value: number): void => {
      const before = worth[document] ?? 0;
      if (before === 0) found.push(document);
      if (value > before) worth[document] = value;
      if (places & IN_TITLE) inTitle[document] = (inTitle[document] ?? 0) | bit;
    };
    for (const { word, match } of alternatives) {
      const worths = worthsOf(match);
      index.documentsWith(word, (document, places) => note(document, places, worths[places] ?? 0));
    }
    for (const [first, second] of halves) {
      const withFirst = new Set<number>();
      index.documentsWith(first, (document) => void withFirst.add(document));
      index.documentsWith(second, (document, places) => {
        if (withFirst.has(document)) note(document, places, worthOf({ kind: 'part' }, places));
      });
    }
    return found;
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
