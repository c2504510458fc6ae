import type { IsMatch } from '../highlight.js';
import type { SearchSort } from '../search-engine.js';
import { wordsOf } from '../words.js';
import { bestOf } from './best-of.js';
import type { DocumentFacts, InvertedIndex } from './inverted-index.js';
import { type QueryWord, queryWordsOf } from './query-words.js';
import { type Candidate, Scores } from './ranking.js';

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

type Order = (a: Candidate, b: Candidate) => number;

function ordersOf(index: InvertedIndex): Readonly<Record<SearchSort, Order>> {
  const facts = ({ document }: Candidate) => index.factsAt(document);
  const newest: Order = (a, b) =>
    (facts(b)?.createdAt ?? 0) - (facts(a)?.createdAt ?? 0) ||
    ((facts(a)?.id ?? '') < (facts(b)?.id ?? '') ? -1 : 1);
  return {
    BEST: (a, b) => b.score - a.score || newest(a, b),
    NEWEST: newest,
    MOST_ANSWERED: (a, b) => (facts(b)?.answerCount ?? 0) - (facts(a)?.answerCount ?? 0) || newest(a, b),
  };
}

/** Sums of the same numbers in another order differ by a hair. */
const ALIKE = 0.999;

export function searchDocumentsOf(
  index: InvertedIndex,
  { text, sort, count, accepts }: DocumentSearch,
): FoundDocuments {
  const words = queryWordsOf(text, index);
  if (words.length === 0) return { documents: [], isMatch: () => false };
  const facts = (document: number) => index.factsAt(document);
  let accepted = new Scores(index, words).candidates((document) => {
    const known = facts(document);
    return known !== undefined && accepts(known);
  });
  if (sort !== 'BEST') {
    // Otherwise a new document with half of the words would come before an older one with all of them.
    const most = accepted.reduce((best, { told }) => Math.max(best, told), 0);
    accepted = accepted.filter(({ told }) => told >= most * ALIKE);
  }
  const documents = bestOf(accepted, count, ordersOf(index)[sort]).flatMap(
    ({ document }) => facts(document) ?? [],
  );
  return { documents, isMatch: matcherOf(index, words) };
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

/** Texts in double quotes, each as its words: a document must have them side by side. */
export const phrasesOf = (text: string): string[][] =>
  Array.from(text.slice(0, 2_000).matchAll(/["“„«]([^"“”„»«]+)["”“»]/g), ([, phrase = '']) =>
    wordsOf(phrase),
  ).filter((words) => words.length > 1);
