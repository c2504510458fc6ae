import { BestOf, MIN_SHARE, type Order, ScoreBoard, tellingOf, TitleBonus, worthsOf } from './score-board.js';
import { type InvertedIndex, PLACE_BITS, PLACES } from './inverted-index.js';
import type { QueryWord, Together } from './query-words.js';

/** Steps of finding one document among a hundred thousand. */
const LOOK_UP_STEPS = 16;
/** Sums of the same numbers in another order differ by a hair. */
const ALIKE = 0.999;

/** A word with how much it tells. */
interface Weighed {
  readonly word: QueryWord;
  /** Of the word on the board. */
  readonly bit: number;
  readonly telling: number;
}

interface Finding {
  /** By the places. */
  readonly worths: Float64Array;
  readonly bit: number;
  readonly takesNew: boolean;
}

/** A document with the sum of what the query's words are worth there. */
export interface Candidate {
  readonly document: number;
  readonly score: number;
}

const board = new ScoreBoard();

/**
 * Scores of one query over an index. Nothing is guessed: what is left out cannot be among the best. To be used in one go, since all
 * share one board.
 */
export class Ranking {
  private readonly board: ScoreBoard;
  private readonly telling: readonly Weighed[];
  private readonly least: number;
  /** How much the words tell together, by their bits. */
  private readonly toldBy: Float64Array;

  constructor(
    private readonly index: InvertedIndex,
    private readonly words: readonly QueryWord[],
  ) {
    this.board = board.prepare(index.room);
    this.telling = weighed(index, words);
    this.toldBy = toldBy(this.telling, words.length);
    this.least = MIN_SHARE * (this.toldBy.at(-1) ?? 0);
    this.addAll();
  }

  /** The best first. */
  best(count: number, order: Order<Candidate>, accepts: (document: number) => boolean): Candidate[] {
    const { score, words, inTitle, touched, touchedCount } = this.board;
    const titles = new TitleBonus(this.index, this.words);
    const best = new BestOf(count, order);
    let worst = -1;
    for (let place = 0; place < touchedCount; place += 1) {
      const document = touched[place] ?? 0;
      const told = this.toldBy[words[document] ?? 0] ?? 0;
      if (told < this.least) continue;
      const [bare, found] = [score[document] ?? 0, inTitle[document] ?? 0];
      if (bare + titles.mostOf(document, found) * told < worst || !accepts(document)) continue;
      best.offer({ document, score: bare + titles.bonusOf(document, found) * told });
      worst = best.last?.score ?? -1;
    }
    return best.items;
  }

  /** Of those that have the most of the query: otherwise a new document with half of the words would come before an older one with all. */
  fullest(count: number, order: Order<number>, accepts: (document: number) => boolean): number[] {
    const { words, touched, touchedCount } = this.board;
    const told = (document: number) => this.toldBy[words[document] ?? 0] ?? 0;
    let most = this.least;
    for (let place = 0; place < touchedCount; place += 1) {
      const document = touched[place] ?? 0;
      if (told(document) > most && accepts(document)) most = told(document);
    }
    const best = new BestOf(count, order);
    for (let place = 0; place < touchedCount; place += 1) {
      const document = touched[place] ?? 0;
      if (told(document) >= most * ALIKE && best.takes(document) && accepts(document)) best.offer(document);
    }
    return best.items;
  }

  /** The most telling words first: once the rest cannot tell enough, it only adds to documents that are known. */
  private addAll(): void {
    let rest = this.toldBy.at(-1) ?? 0;
    for (const word of this.telling) {
      this.add(word, rest >= this.least);
      rest -= word.telling;
    }
  }

  private add({ word: { alternatives, together }, bit, telling }: Weighed, takesNew: boolean): void {
    for (const { word, match } of alternatives) {
      for (const postings of this.index.postingsOf(word))
        this.find(postings, { worths: worthsOf(match), bit, takesNew });
    }
    for (const all of together)
      this.find(postingsOfAll(this.index, all), { worths: worthsOf(all.match), bit, takesNew });
    this.board.addFound(bit, telling);
  }

  private find(postings: Uint32Array, { worths, bit, takesNew }: Finding): void {
    const { board } = this;
    if (takesNew) for (const posting of postings) board.note(posting, worths, bit);
    else if (board.touchedCount * LOOK_UP_STEPS < postings.length) this.lookUp(postings, worths, bit);
    else {
      for (const posting of postings) {
        if (board.words[posting >>> PLACE_BITS] !== 0) board.note(posting, worths, bit);
      }
    }
  }

  /** Postings are in the order of their documents. */
  private lookUp(postings: Uint32Array, worths: Float64Array, bit: number): void {
    const { touched, touchedCount } = this.board;
    for (let place = 0; place < touchedCount; place += 1) {
      const document = touched[place] ?? 0;
      let low = 0;
      for (let high = postings.length; low < high;) {
        const middle = (low + high) >> 1;
        if ((postings[middle] ?? 0) >>> PLACE_BITS < document) low = middle + 1;
        else high = middle;
      }
      const posting = postings[low];
      if (posting !== undefined && posting >>> PLACE_BITS === document) this.board.note(posting, worths, bit);
    }
  }
}

/** The most telling first, without those that no document has. */
function weighed(index: InvertedIndex, words: readonly QueryWord[]): Weighed[] {
  const frequency = (word: number) => index.frequencyOf(word);
  return words
    .flatMap((word, place): Weighed[] => {
      const documents =
        word.alternatives.reduce((sum, { word }) => sum + frequency(word), 0) +
        word.together.reduce((sum, { words }) => sum + Math.min(...words.map(frequency)), 0);
      return documents === 0 ? [] : [{ word, bit: 1 << place, telling: tellingOf(documents, index.room) }];
    })
    .sort((a, b) => b.telling - a.telling);
}

function toldBy(telling: readonly Weighed[], count: number): Float64Array {
  const told = new Float64Array(1 << count);
  for (let words = 1; words < told.length; words += 1) {
    for (const word of telling) if (words & word.bit) told[words] = (told[words] ?? 0) + word.telling;
  }
  return told;
}

/** The documents that have all the words. Halves of a compound may be apart; grams are side by side, so one place must have all of them. */
function postingsOfAll(index: InvertedIndex, { words, match }: Together): Uint32Array {
  const [first = new Uint32Array(), ...others] = words.map((word) => joined(index.postingsOf(word)));
  const isSideBySide = match.kind !== 'part';
  return others.reduce((all, postings) => inBoth(all, postings, isSideBySide), first);
}

/** The second postings whose documents are among the first. */
function inBoth(first: Uint32Array, second: Uint32Array, isSideBySide: boolean): Uint32Array {
  const both: number[] = [];
  let place = 0;
  for (const posting of second) {
    const document = posting >>> PLACE_BITS;
    while (place < first.length && (first[place] ?? 0) >>> PLACE_BITS < document) place += 1;
    const other = first[place];
    if (other === undefined) break;
    if (other >>> PLACE_BITS !== document) continue;
    const common = isSideBySide ? (posting & other) >>> 0 : posting;
    if ((common & PLACES) !== 0) both.push(common);
  }
  return Uint32Array.from(both);
}

function joined([older, newer]: readonly [Uint32Array, Uint32Array]): Uint32Array {
  if (newer.length === 0) return older;
  const all = new Uint32Array(older.length + newer.length);
  all.set(older);
  all.set(newer, older.length);
  return all;
}
