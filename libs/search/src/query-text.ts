import { formsOf, isRun, MAX_WORD_LENGTH, wordsAndRuns, wordsInOrder, wordsOfRun } from '@nimo/projections';

/** More words do not improve results, and a pasted page must not cost more than a question. */
export const MAX_QUERY_WORDS = 12;
const MAX_TEXT_LENGTH = 2_000;

export interface QueryTextWord {
  /** Folded. */
  readonly word: string;
  /** Token that preserves accents or a leading dot, if the word has any. */
  readonly spelling?: string | undefined;
  /** For a word in a script without spaces: letter sequences, best first; a text must contain one. Otherwise empty. */
  readonly forms: readonly (readonly string[])[];
}

/** The distinct words of a query. */
export function queryTextWords(text: string): QueryTextWord[] {
  const words = new Map<string, QueryTextWord>();
  const start = text.slice(0, MAX_TEXT_LENGTH);
  for (const piece of wordsAndRuns(start)) {
    for (const word of isRun(piece) ? wordsOfRun(start, piece).map(fromRun) : [{ ...piece, forms: [] }])
      if (!words.has(word.word)) words.set(word.word, word);
  }
  return [...words.values()];
}

function fromRun(all: readonly string[]): QueryTextWord {
  const letters = all.slice(0, MAX_WORD_LENGTH);
  return { word: letters.join(''), forms: formsOf(letters) };
}

/** The words of each phrase in double quotes; a document must contain them consecutively. */
export const phrasesOf = (text: string): string[][] =>
  Array.from(text.slice(0, MAX_TEXT_LENGTH).matchAll(/["“„«]([^"“”„»«]+)["”“»]/g), ([, phrase = '']) =>
    wordsInOrder(phrase),
  ).filter((words) => words.length > 1);
