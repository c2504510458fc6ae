import type { IsMatch } from '../highlight.js';
import type { SearchSort } from '../search-engine.js';
import type { Order } from './best-of.js';
import type { InvertedIndex } from './inverted-index.js';
import { type QueryWord, queryWordsOf } from './query-words.js';
import { type Candidate, Ranking } from './ranking.js';

export interface DocumentSearch {
  readonly text: string;
  readonly sort: SearchSort;
  /** How many of the best are wanted. */
  readonly count: number;
  /** Told by its number; asked of those only that are there. */
  readonly accepts: (document: number) => boolean;
}

export interface FoundDocuments {
  /** Their ids, the best first. */
  readonly ids: readonly string[];
  /** Whether the query found this word; folded. */
  readonly isMatch: IsMatch;
}

const ordersOf = (index: InvertedIndex) => {
  const { createdAt, answerCount } = index.facts;
  const newest: Order<number> = (a, b) =>
    createdAt.at(b) - createdAt.at(a) || (index.idAt(a) < index.idAt(b) ? -1 : 1);
  const best: Order<Candidate> = (a, b) => b.score - a.score || newest(a.document, b.document);
  const mostAnswered: Order<number> = (a, b) => answerCount.at(b) - answerCount.at(a) || newest(a, b);
  return { best, newest, mostAnswered };
};

export function searchDocumentsOf(index: InvertedIndex, search: DocumentSearch): FoundDocuments {
  const words = queryWordsOf(search.text, index);
  if (words.length === 0) return { ids: [], isMatch: () => false };
  const ids = numbersOf(index, words, search).map((document) => index.idAt(document));
  return { ids, isMatch: matcherOf(index, words) };
}

function numbersOf(
  index: InvertedIndex,
  words: readonly QueryWord[],
  { sort, count, accepts }: DocumentSearch,
): number[] {
  const ranking = new Ranking(index, words);
  const orders = ordersOf(index);
  const isWanted = (document: number) => index.isThere(document) && accepts(document);
  switch (sort) {
    case 'BEST':
      return ranking.best(count, orders.best, isWanted).map(({ document }) => document);
    case 'NEWEST':
      return ranking.fullest(count, orders.newest, isWanted);
    case 'MOST_ANSWERED':
      return ranking.fullest(count, orders.mostAnswered, isWanted);
  }
}

function matcherOf(index: InvertedIndex, words: readonly QueryWord[]): IsMatch {
  const found = new Set(
    words.flatMap(({ alternatives, together }) => [
      ...alternatives.map(({ word }) => word),
      ...together.flatMap(({ words }) => words),
    ]),
  );
  return (word) => {
    const number = index.lexicon.numberOf(word);
    return number !== undefined && found.has(number);
  };
}
