import { formsOf, isRun, MAX_WORD_LENGTH, wordsAndRuns, wordsInOrder, wordsOfRun } from '@nimo/projections';

/** More words do not find better; a pasted page must not cost more than a question. */
export const MAX_QUERY_WORDS = 12;
const MAX_TEXT_LENGTH = 2_000;

export interface QueryTextWord {
  /** Folded. */
  readonly word: string;
  /** The token for its accents or its dot, if it has any. */
  readonly spelling?: string | undefined;
  /** For a word of a run: letters of which a text must have one list in a row, the best first. Otherwise empty. */
  readonly forms: readonly (readonly string[])[];
}

/** The words of a query, each once. */
export function queryTextWords(text: string): QueryTextWord[] {
  const words = new Map<string, QueryTextWord>();
  const start = text.slice(0, MAX_TEXT_LENGTH);
  for (const piece of wordsAndRuns(start)) {
    for (const word of isRun(piece) ? wordsOfRun(start, piece).map(ofRun) : [{ ...piece, forms: [] }])
      if (!words.has(word.word)) words.set(word.word, word);
  }
  return [...words.values()];
}

function ofRun(all: readonly string[]): QueryTextWord {
  const letters = all.slice(0, MAX_WORD_LENGTH);
  return { word: letters.join(''), forms: formsOf(letters) };
}

/** Texts in double quotes, each as its words: a document must have them side by side. */
export const phrasesOf = (text: string): string[][] =>
  Array.from(text.slice(0, MAX_TEXT_LENGTH).matchAll(/["“„«]([^"“”„»«]+)["”“»]/g), ([, phrase = '']) =>
    wordsInOrder(phrase),
  ).filter((words) => words.length > 1);
