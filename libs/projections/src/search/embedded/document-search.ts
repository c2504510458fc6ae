import type { IsMatch } from '../highlight.js';
import type { SearchSort } from '../search-engine.js';
import type { Order } from './best-of.js';
import type { DocumentFacts, InvertedIndex } from './inverted-index.js';
import { type QueryWord, queryWordsOf } from './query-words.js';
import { type Candidate, Ranking } from './ranking.js';

export interface DocumentSearch {
  readonly text: string;
  readonly sort: SearchSort;
  /** How many of the best are wanted. */
  readonly count: number;
  readonly accepts: (facts: DocumentFacts) => boolean;
}

export interface FoundDocuments {
  /** The best first. */
  readonly documents: readonly DocumentFacts[];
  /** Whether the query found this word; folded. */
  readonly isMatch: IsMatch;
}

const ordersOf = (index: InvertedIndex) => {
  const facts = (document: number) => index.factsAt(document);
  const newest: Order<number> = (a, b) =>
    (facts(b)?.createdAt ?? 0) - (facts(a)?.createdAt ?? 0) ||
    ((facts(a)?.id ?? '') < (facts(b)?.id ?? '') ? -1 : 1);
  const best: Order<Candidate> = (a, b) => b.score - a.score || newest(a.document, b.document);
  const mostAnswered: Order<number> = (a, b) =>
    (facts(b)?.answerCount ?? 0) - (facts(a)?.answerCount ?? 0) || newest(a, b);
  return { best, newest, mostAnswered };
};

export function searchDocumentsOf(index: InvertedIndex, search: DocumentSearch): FoundDocuments {
  const words = queryWordsOf(search.text, index);
  if (words.length === 0) return { documents: [], isMatch: () => false };
  const documents = numbersOf(index, words, search).flatMap((document) => index.factsAt(document) ?? []);
  return { documents, isMatch: matcherOf(index, words) };
}

function numbersOf(
  index: InvertedIndex,
  words: readonly QueryWord[],
  { sort, count, accepts }: DocumentSearch,
): number[] {
  const ranking = new Ranking(index, words);
  const orders = ordersOf(index);
  const isWanted = (document: number) => {
    const facts = index.factsAt(document);
    return facts !== undefined && accepts(facts);
  };
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
    words.flatMap(({ alternatives, halves }) => [...alternatives.map(({ word }) => word), ...halves.flat()]),
  );
  return (word) => {
    const number = index.lexicon.numberOf(word);
    return number !== undefined && found.has(number);
  };
}
