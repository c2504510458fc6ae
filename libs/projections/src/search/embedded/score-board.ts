import { IN_TITLE, PLACE_BITS, PLACES } from './inverted-index.js';

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
