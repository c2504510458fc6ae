import { wordsOf } from './words.js';

/** More words do not find better; a pasted page must not cost more than a question. */
export const MAX_QUERY_WORDS = 12;
const MAX_TEXT_LENGTH = 2_000;

/** The words of a query, folded, each once. */
export const queryTextWords = (text: string): string[] => [
  ...new Set(wordsOf(text.slice(0, MAX_TEXT_LENGTH))),
];

/** Texts in double quotes, each as its words: a document must have them side by side. */
export const phrasesOf = (text: string): string[][] =>
  Array.from(text.slice(0, MAX_TEXT_LENGTH).matchAll(/["“„«]([^"“”„»«]+)["”“»]/g), ([, phrase = '']) =>
    wordsOf(phrase),
  ).filter((words) => words.length > 1);
