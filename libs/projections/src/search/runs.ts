import { foldedWord } from './folding.js';

/**
 * A run is text without spaces in a script that is written that way. Korean has spaces, but its words carry particles and are compounded
 * freely.
 */
const WITHOUT_SPACES = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar']
  .map((script) => `\\p{Script_Extensions=${script}}`)
  .join('');
export const RUN_LETTER = `(?=[\\p{L}\\p{N}])[${WITHOUT_SPACES}]`;
/** A letter with its marks. Unicode counts the half-width voicing marks of kana as letters. */
const UNIT = `${RUN_LETTER}[\\p{M}\\p{DI}\\uff9e\\uff9f]*`;
export const RUN = `(?:${UNIT})+`;
const HAS_RUN = new RegExp(RUN_LETTER, 'u');
const UNITS = new RegExp(UNIT, 'gu');

export const hasRun = (text: string): boolean => HAS_RUN.test(text);

/** A letter of a run as it is shown at a place of a text. */
export interface Unit {
  /** Folded. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** Characters without marks, capitals or other forms: in most texts all of them. */
const PLAIN_RUN = /^[\u3041-\u3096\u30a1-\u30fa\u30fc\u4e00-\u9fff\uac00-\ud7a3]*$/;
/** A gram of three is no longer than a word. */
const MAX_UNIT_LENGTH = 12;

/** @param start of the run in its text */
export function unitsOf(run: string, start: number): Unit[] {
  if (PLAIN_RUN.test(run))
    return Array.from(run, (word, place) => ({ word, start: start + place, end: start + place + 1 }));
  return Array.from(run.matchAll(UNITS), ({ 0: unit, index }) => ({
    word: foldedWord(unit).word.slice(0, MAX_UNIT_LENGTH),
    start: start + index,
    end: start + index + unit.length,
  })).filter(({ word }) => word !== '');
}

/** Pairs out of thousands of characters tell texts apart; an alphabet of seventy letters needs three in a row. Alphabets come first in Unicode. */
const gramLength = (letter = ''): number => (letter < '\u2e80' ? 3 : 2);

/** The tokens of a run in an index: at each letter the gram that starts there, and its beginnings. */
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

/** Tokens that every text has which contains these letters in a row. */
export function coveringGrams(letters: readonly string[]): string[] {
  const grams: string[] = [];
  for (let start = 0, end = 0; end < letters.length; start += 1) {
    end = Math.min(start + gramLength(letters[start]), letters.length);
    grams.push(letters.slice(start, end).join(''));
  }
  return grams;
}

// The dictionaries come with every locale.
const segmenter = new Intl.Segmenter('en', { granularity: 'word' });
const HIRAGANA = /^\p{Script_Extensions=Hiragana}$/u;
const HANGUL = /^\p{Script=Hangul}+$/u;

const isHiragana = ([letter = '']: readonly string[]): boolean => HIRAGANA.test(letter);

/**
 * The words of a run in a query, each as its letters. Letters that the dictionary leaves alone side by side are a name or an unknown word. One
 * hiragana between other words is a particle and tells nothing.
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
  const telling = words.filter((letters) => letters.length > 1 || !isHiragana(letters));
  return telling.length > 0 ? telling : words;
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

/** The letters themselves; for a longer Korean word also without its last syllable, which may be a particle. */
export const formsOf = (letters: readonly string[]): (readonly string[])[] =>
  letters.length > 2 && HANGUL.test(letters.join('')) ? [letters, letters.slice(0, -1)] : [letters];
