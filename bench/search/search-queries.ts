import { Random } from '../community/random.js';
import type { SearchCorpus, Text } from './search-corpus.js';

export const QUERY_KINDS = ['exact', 'one-edit typo', 'prefix'] as const;
export type QueryKind = (typeof QUERY_KINDS)[number];

export interface Query {
  readonly text: string;
  /** Index of the question whose title the words are from. */
  readonly from: number;
}

const WORDS = 3;
/** Shorter words allow no typos and have no useful prefix. */
const MIN_LENGTH = 4;
const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Three words of a title, the last one distinctive: exact, with a typo in the last word, or with only its prefix. */
export function searchQueries(
  kind: QueryKind,
  { corpus, texts }: { readonly corpus: SearchCorpus; readonly texts: readonly Text[] },
  count: number,
): Query[] {
  const random = new Random(7 + QUERY_KINDS.indexOf(kind));
  const queries: Query[] = [];
  while (queries.length < count) {
    const from = random.below(texts.length);
    const words = wordsFrom(texts[from], corpus, random);
    if (words.length === WORDS) queries.push({ text: changed(kind, words, random).join(' '), from });
  }
  return queries;
}

function wordsFrom(text: Text | undefined, corpus: SearchCorpus, random: Random): string[] {
  const all = [...new Set(text?.title)];
  const distinctive = all.filter((word) => word.length >= MIN_LENGTH && corpus.isDistinctive(word));
  if (distinctive.length === 0 || all.length < WORDS) return [];
  const last = random.one(distinctive);
  const others = all.filter((word) => word !== last);
  const chosen: string[] = [];
  while (chosen.length < WORDS - 1) chosen.push(...others.splice(random.below(others.length), 1));
  return [...chosen, last];
}

function changed(kind: QueryKind, words: string[], random: Random): string[] {
  const last = words.at(-1) ?? '';
  switch (kind) {
    case 'exact':
      return words;
    case 'one-edit typo':
      return [...words.slice(0, -1), mistyped(last, random)];
    case 'prefix':
      return [...words.slice(0, -1), last.slice(0, random.between(MIN_LENGTH - 1, last.length - 1))];
  }
}

function mistyped(word: string, random: Random): string {
  const place = random.between(1, word.length - 1);
  const [before, letter, after] = [word.slice(0, place), word.charAt(place), word.slice(place + 1)];
  const other = LETTERS.charAt(random.below(LETTERS.length));
  switch (random.below(4)) {
    case 0:
      return before + after;
    case 1:
      return before + other + letter + after;
    case 2:
      return before + other + after;
    default:
      return word.slice(0, place - 1) + letter + word.charAt(place - 1) + after;
  }
}
