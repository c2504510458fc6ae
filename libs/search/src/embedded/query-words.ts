import { MAX_QUERY_WORDS, type QueryTextWord, queryTextWords } from '../query-text.js';
import { coveringGrams, editsAllowed } from '@nimo/projections';
import type { InvertedIndex } from './inverted-index.js';
import type { Alternative, WordMatch } from './lexicon.js';

/** A query word with everything that matches it. */
export interface QueryWord {
  readonly word: string;
  readonly alternatives: readonly Alternative[];
  /** Halves of a compound, or n-grams of a script without spaces. */
  readonly conjunctions: readonly Conjunction[];
}

/** Words that match a query word if a document contains all of them. */
export interface Conjunction {
  readonly words: readonly number[];
  readonly match: WordMatch;
}

const EXACT: WordMatch = { kind: 'exact' };
const FOLDED: WordMatch = { kind: 'folded' };
const PREFIX: WordMatch = { kind: 'prefix' };
const COMPOUND: WordMatch = { kind: 'compound' };

/** A word found in this many documents is assumed to have no typos. */
const COMMON_WORD_DOCUMENTS = 10;
const MIN_HALF_LENGTH = 3;
/** Linking elements between the parts of a German compound. */
const LINKING_LETTERS = ['', 's', 'n', 'es', 'en'];

/** The distinct words of a query; the last one also matches as a prefix. */
export function queryWordsOf(text: string, index: InvertedIndex): QueryWord[] {
  const words = queryTextWords(text);
  const last = words.at(-1);
  return words
    .slice(0, MAX_QUERY_WORDS)
    .map((word, position, all) =>
      word.forms.length > 0
        ? wordOfRun(word, index)
        : queryWord(
            word,
            { isLast: word === last, next: all[position + 1]?.word, previous: all[position - 1]?.word },
            index,
          ),
    );
}

interface Neighbours {
  readonly isLast: boolean;
  readonly next: string | undefined;
  readonly previous: string | undefined;
}

/** Matches as a substring, so prefixes are covered; too short for typos. */
const wordOfRun = ({ word, forms }: QueryTextWord, { lexicon }: InvertedIndex): QueryWord => ({
  word,
  alternatives: [],
  conjunctions: forms.flatMap((letters, position) => {
    const grams = coveringGrams(letters);
    const words = grams.flatMap((gram) => lexicon.numberOf(gram) ?? []);
    return words.length < grams.length ? [] : [{ words, match: position === 0 ? EXACT : PREFIX }];
  }),
});

function queryWord(
  { word, spelling }: QueryTextWord,
  { isLast, next, previous }: Neighbours,
  index: InvertedIndex,
): QueryWord {
  const { lexicon } = index;
  const asTyped = lexicon.asTyped(word, isLast);
  const spelled = spelling === undefined ? undefined : lexicon.numberOf(spelling);
  const documents = asTyped
    .filter(({ match }) => match.kind !== 'compound')
    .reduce((sum, alternative) => sum + index.frequencyOf(alternative.word), 0);
  const isCommon = documents >= COMMON_WORD_DOCUMENTS;
  const joined = [previous && compoundsOf(previous, word), next && compoundsOf(word, next)]
    .flatMap((compounds) => compounds || [])
    .flatMap((compound) => lexicon.numberOf(compound) ?? [])
    .map((number): Alternative => ({ word: number, match: EXACT }));
  return {
    word,
    alternatives: [
      ...(spelled === undefined ? asTyped : [{ word: spelled, match: EXACT }, ...asTyped.map(demoted)]),
      ...(isCommon ? [] : lexicon.withTypos(word, editsAllowed(word)).filter(isNotIn(asTyped))),
      ...joined,
    ],
    conjunctions: isCommon ? [] : halvesOf(word, index).map((words) => ({ words, match: COMPOUND })),
  };
}

const demoted = ({ word, match }: Alternative): Alternative => ({
  word,
  match: match.kind === 'exact' ? FOLDED : match,
});

const isNotIn = (others: readonly Alternative[]) => {
  const known = new Set(others.map(({ word }) => word));
  return ({ word }: Alternative) => !known.has(word);
};

const compoundsOf = (first: string, second: string): string[] =>
  LINKING_LETTERS.map((link) => first + link + second);

function halvesOf(word: string, { lexicon }: InvertedIndex): [number, number][] {
  const halves: [number, number][] = [];
  for (let cut = MIN_HALF_LENGTH; cut <= word.length - MIN_HALF_LENGTH; cut += 1) {
    const second = lexicon.numberOf(word.slice(cut));
    if (second === undefined) continue;
    for (const link of LINKING_LETTERS) {
      const first = word.slice(0, cut);
      const known = first.endsWith(link) ? lexicon.numberOf(first.slice(0, cut - link.length)) : undefined;
      if (known !== undefined && cut - link.length >= MIN_HALF_LENGTH) halves.push([known, second]);
    }
  }
  return halves;
}
