import { MAX_QUERY_WORDS, queryTextWords } from '../query-text.js';
import { editsAllowed } from '../words.js';
import type { InvertedIndex } from './inverted-index.js';
import type { Alternative } from './lexicon.js';

/** One word of the query with all that stands for it. */
export interface QueryWord {
  readonly word: string;
  readonly alternatives: readonly Alternative[];
  /** Pairs of words into which a compound falls; a document must have both. */
  readonly halves: readonly (readonly [number, number])[];
}

/** A word that so many documents have is meant as it was typed. */
const KNOWN_DOCUMENTS = 10;
const MIN_HALF = 3;
/** German puts them between the parts of a compound. */
const LINKS = ['', 's', 'n', 'es', 'en'];

/** The words of a query, each once; the last one may be the beginning of a word. */
export function queryWordsOf(text: string, index: InvertedIndex): QueryWord[] {
  const words = queryTextWords(text);
  const last = words.at(-1);
  return words
    .slice(0, MAX_QUERY_WORDS)
    .map((word, place, all) =>
      queryWord(word, { isLast: word === last, next: all[place + 1], previous: all[place - 1] }, index),
    );
}

interface Neighbours {
  readonly isLast: boolean;
  readonly next: string | undefined;
  readonly previous: string | undefined;
}

function queryWord(word: string, { isLast, next, previous }: Neighbours, index: InvertedIndex): QueryWord {
  const { lexicon } = index;
  const asTyped = lexicon.asTyped(word, isLast);
  const documents = asTyped
    .filter(({ match }) => match.kind !== 'part')
    .reduce((sum, alternative) => sum + index.frequencyOf(alternative.word), 0);
  const isKnown = documents >= KNOWN_DOCUMENTS;
  const joined = [previous && compoundsOf(previous, word), next && compoundsOf(word, next)]
    .flatMap((compounds) => compounds || [])
    .flatMap((compound) => lexicon.numberOf(compound) ?? [])
    .map((number): Alternative => ({ word: number, match: { kind: 'same' } }));
  return {
    word,
    alternatives: [
      ...asTyped,
      ...(isKnown ? [] : lexicon.mistyped(word, editsAllowed(word)).filter(isNotIn(asTyped))),
      ...joined,
    ],
    halves: isKnown ? [] : halvesOf(word, index),
  };
}

const isNotIn = (others: readonly Alternative[]) => {
  const known = new Set(others.map(({ word }) => word));
  return ({ word }: Alternative) => !known.has(word);
};

const compoundsOf = (first: string, second: string): string[] => LINKS.map((link) => first + link + second);

function halvesOf(word: string, { lexicon }: InvertedIndex): [number, number][] {
  const halves: [number, number][] = [];
  for (let cut = MIN_HALF; cut <= word.length - MIN_HALF; cut += 1) {
    const second = lexicon.numberOf(word.slice(cut));
    if (second === undefined) continue;
    for (const link of LINKS) {
      const first = word.slice(0, cut);
      const known = first.endsWith(link) ? lexicon.numberOf(first.slice(0, cut - link.length)) : undefined;
      if (known !== undefined && cut - link.length >= MIN_HALF) halves.push([known, second]);
    }
  }
  return halves;
}
