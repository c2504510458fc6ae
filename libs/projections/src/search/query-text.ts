import { wordsOf } from './words.js';

/** More words do not find better; a pasted page must not cost more than a question. */
export const MOST_QUERY_WORDS = 12;
const LONGEST_TEXT = 2_000;

/** The words of a query, folded, each once. */
export const queryTextWords = (text: string): string[] => [...new Set(wordsOf(text.slice(0, LONGEST_TEXT)))];

/** Texts in double quotes, each as its words: a document must have them side by side. */
export const phrasesOf = (text: string): string[][] =>
  Array.from(text.slice(0, LONGEST_TEXT).matchAll(/["“„«]([^"“”„»«]+)["”“»]/g), ([, phrase = '']) =>
    wordsOf(phrase),
  ).filter((words) => words.length > 1);
