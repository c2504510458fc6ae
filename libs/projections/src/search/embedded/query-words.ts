import { editsAllowed, wordsOf } from '../words.js';
import type { InvertedIndex } from './inverted-index.js';
import type { WordMatch } from './lexicon.js';

/** A word of the index that stands for a word of the query. */
export interface Alternative {
  readonly word: number;
  readonly match: WordMatch;
}

/** One word of the query with all that stands for it. */
export interface QueryWord {
  readonly word: string;
  readonly alternatives: readonly Alternative[];
  /** Pairs of words into which a compound falls; a document must have both. */
  readonly halves: readonly (readonly [number, number])[];
}

/** More words do not find better; a pasted page must not cost more than a question. */
const MOST_WORDS = 12;
const LONGEST_TEXT = 2_000;
/** A word that so many documents have is meant as it was typed. */
const KNOWN_DOCUMENTS = 10;
const SHORTEST_HALF = 3;
/** German puts them between the parts of a compound. */
const LINKS = ['', 's', 'n', 'es', 'en'];

/** The words of a query, each once; the last one may be the beginning of a word. */
export function queryWordsOf(text: string, index: InvertedIndex): QueryWord[] {
  const words = [...new Set(wordsOf(text.slice(0, LONGEST_TEXT)))];
  const last = words.at(-1);
  return words
    .slice(0, MOST_WORDS)
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
  const found: Alternative[] = [];
  lexicon.search(
    { word, beginnings: isLast, parts: true, edits: editsAllowed(word) },
    (number, match) => void found.push({ word: number, match }),
  );
  const asTyped = found.filter(({ match }) => match.kind === 'same' || match.kind === 'beginning');
  const documents = asTyped.reduce((sum, alternative) => sum + index.frequencyOf(alternative.word), 0);
  const isKnown = documents >= KNOWN_DOCUMENTS;
  const joined = [previous && compoundsOf(previous, word), next && compoundsOf(word, next)]
    .flatMap((compounds) => compounds || [])
    .flatMap((compound) => lexicon.numberOf(compound) ?? [])
    .map((number): Alternative => ({ word: number, match: { kind: 'same' } }));
  return {
    word,
    alternatives: [...found.filter(({ match }) => match.kind !== 'typo' || !isKnown), ...joined],
    halves: isKnown ? [] : halvesOf(word, index),
  };
}

const compoundsOf = (first: string, second: string): string[] => LINKS.map((link) => first + link + second);

function halvesOf(word: string, { lexicon }: InvertedIndex): [number, number][] {
  const halves: [number, number][] = [];
  for (let cut = SHORTEST_HALF; cut <= word.length - SHORTEST_HALF; cut += 1) {
    const second = lexicon.numberOf(word.slice(cut));
    if (second === undefined) continue;
    for (const link of LINKS) {
      const first = word.slice(0, cut);
      const known = first.endsWith(link) ? lexicon.numberOf(first.slice(0, cut - link.length)) : undefined;
      if (known !== undefined && cut - link.length >= SHORTEST_HALF) halves.push([known, second]);
    }
  }
  return halves;
}
