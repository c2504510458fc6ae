import type { InvertedIndex } from './inverted-index.js';
import { bitsOf } from './words-by-length.js';
import type { QueryWord } from './query-words.js';

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
