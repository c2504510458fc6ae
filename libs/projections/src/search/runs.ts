import { foldedWord } from './folding.js';

/** Scripts written without spaces. A run is a sequence of their letters. Includes Korean, which attaches particles to words. */
const WITHOUT_SPACES = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');
export const RUN_LETTER = `(?=[\\p{L}\\p{N}])[${WITHOUT_SPACES}]`;
/** A letter with its marks, including the half-width voicing marks of kana, which Unicode classifies as letters. */
const UNIT = `${RUN_LETTER}[\\p{M}\\p{DI}\\uff9e\\uff9f]*`;
export const RUN = `(?:${UNIT})+`;
const HAS_RUN = new RegExp(RUN_LETTER, 'u');
const UNITS = new RegExp(UNIT, 'gu');

export const hasRun = (text: string): boolean => HAS_RUN.test(text);

/** A letter of a run with its range in the text. */
export interface Unit {
  /** Folded. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** Runs without marks, case or alternative forms, which covers most texts. */
const PLAIN_RUN = /^[\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff\uac00-\ud7a3]*$/;
/** Keeps grams of three within the maximum word length. */
const MAX_UNIT_LENGTH = 12;

/** Splits a run into letters. @param start offset of the run in its text */
export function unitsOf(run: string, start: number): Unit[] {
  if (PLAIN_RUN.test(run))
    return Array.from(run, (word, index) => ({ word, start: start + index, end: start + index + 1 }));
  return Array.from(run.matchAll(UNITS), ({ 0: unit, index }) => ({
    word: foldedWord(unit).word.slice(0, MAX_UNIT_LENGTH),
    start: start + index,
    end: start + index + unit.length,
  })).filter(({ word }) => word !== '');
}

/** Scripts with thousands of characters use bigrams. Alphabets, which come first in Unicode, need trigrams to be selective. */
const gramLength = (letter = ''): number => (letter < '\u2e80' ? 3 : 2);

/** Index tokens of a run: the gram at each letter and the prefixes of the gram. */
export function gramsOf(letters: readonly string[]): string[] {
  const grams: string[] = [];
  letters.forEach((letter, start) => {
    const end = Math.min(start + gramLength(letter), letters.length);
    for (let gram = '', at = start; at < end; at += 1) {
      gram += letters[at] ?? '';
      grams.push(gram);
    }
  });
  return grams;
}

/** Tokens of every text that contains these letters in sequence. */
export function coveringGrams(letters: readonly string[]): string[] {
  const grams: string[] = [];
  for (let start = 0, end = 0; end < letters.length; start += 1) {
    end = Math.min(start + gramLength(letters[start]), letters.length);
    grams.push(letters.slice(start, end).join(''));
  }
  return grams;
}

// Any locale includes the dictionaries for these scripts.
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
const HIRAGANA = /^\p{Script_Extensions=Hiragana}$/u;
const HANGUL = /^\p{Script=Hangul}+$/u;

const isHiragana = ([letter = '']: readonly string[]): boolean => HIRAGANA.test(letter);

/**
 * Splits a run of a query into words. Adjacent single letters are joined, as they are usually a name or an unknown word. A single hiragana
 * between words is a particle and is dropped.
 */
export function wordsOfRun(text: string, run: readonly Unit[]): string[][] {
  const words: string[][] = [];
  let isAfterSingle = false;
  for (const letters of segmentsOf(text, run)) {
    const last = words.at(-1);
    const isSingle = letters.length === 1;
    if (last && isSingle && isAfterSingle && isHiragana(last) === isHiragana(letters)) last.push(...letters);
    else words.push(letters);
    isAfterSingle = isSingle;
  }
  const significant = words.filter((letters) => letters.length > 1 || !isHiragana(letters));
  return significant.length > 0 ? significant : words;
}

function segmentsOf(text: string, run: readonly Unit[]): string[][] {
  const from = run[0]?.start ?? 0;
  const segments = segmenter.segment(text.slice(from, run.at(-1)?.end));
  return Array.from(segments, ({ index, segment }) => {
    const start = from + index;
    const units = run.filter((unit) => unit.start >= start && unit.start < start + segment.length);
    return units.map(({ word }) => word);
  }).filter((letters) => letters.length > 0);
}

/** The letters and, for longer Korean words, the letters without the last syllable, which may be a particle. */
export const formsOf = (letters: readonly string[]): (readonly string[])[] =>
  letters.length > 2 && HANGUL.test(letters.join('')) ? [letters, letters.slice(0, -1)] : [letters];
