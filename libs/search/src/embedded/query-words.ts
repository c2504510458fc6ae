import { MAX_QUERY_WORDS, type QueryTextWord, queryTextWords } from '../query-text.js';
import { coveringGrams, editsAllowed } from '@nimo/projections';
import type { InvertedIndex } from './inverted-index.js';
import type { Alternative, WordMatch } from './lexicon.js';

/** One word of the query with all that stands for it. */
export interface QueryWord {
  readonly word: string;
  readonly alternatives: readonly Alternative[];
  /** Halves of a compound, grams of a run. */
  readonly together: readonly Together[];
}

/** Words that stand for a word of a query where a document has all of them. */
export interface Together {
  readonly words: readonly number[];
  readonly match: WordMatch;
}

const SAME: WordMatch = { kind: 'same' };
const FOLDED: WordMatch = { kind: 'folded' };
const BEGINNING: WordMatch = { kind: 'beginning' };
const PART: WordMatch = { kind: 'part' };

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
      word.forms.length > 0
        ? wordOfRun(word, index)
        : queryWord(
            word,
            { isLast: word === last, next: all[place + 1]?.word, previous: all[place - 1]?.word },
            index,
          ),
    );
}

interface Neighbours {
  readonly isLast: boolean;
  readonly next: string | undefined;
  readonly previous: string | undefined;
}

/** Found wherever its letters stand in a row, so that it needs no beginnings, and is too short for typing mistakes. */
const wordOfRun = ({ word, forms }: QueryTextWord, { lexicon }: InvertedIndex): QueryWord => ({
  word,
  alternatives: [],
  together: forms.flatMap((letters, place) => {
    const grams = coveringGrams(letters);
    const words = grams.flatMap((gram) => lexicon.numberOf(gram) ?? []);
    return words.length < grams.length ? [] : [{ words, match: place === 0 ? SAME : BEGINNING }];
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
    .filter(({ match }) => match.kind !== 'part')
    .reduce((sum, alternative) => sum + index.frequencyOf(alternative.word), 0);
  const isKnown = documents >= KNOWN_DOCUMENTS;
  const joined = [previous && compoundsOf(previous, word), next && compoundsOf(word, next)]
    .flatMap((compounds) => compounds || [])
    .flatMap((compound) => lexicon.numberOf(compound) ?? [])
    .map((number): Alternative => ({ word: number, match: SAME }));
  return {
    word,
    alternatives: [
      ...(spelled === undefined
        ? asTyped
        : [{ word: spelled, match: SAME }, ...asTyped.map(lessThanSpelled)]),
      ...(isKnown ? [] : lexicon.mistyped(word, editsAllowed(word)).filter(isNotIn(asTyped))),
      ...joined,
    ],
    together: isKnown ? [] : halvesOf(word, index).map((words) => ({ words, match: PART })),
  };
}

const lessThanSpelled = ({ word, match }: Alternative): Alternative => ({
  word,
  match: match.kind === 'same' ? FOLDED : match,
});

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
