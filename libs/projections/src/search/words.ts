import { type FoldedWord, foldedWord } from './folding.js';
import { gramsOf, hasRun, RUN, RUN_LETTER, type Unit, unitsOf } from './runs.js';

/** Longer words are truncated. */
export const MAX_WORD_LENGTH = 40;

const ASCII = /^[\0-\x7f]*$/;

/** A word with its range in the text. */
export interface WordPlace extends FoldedWord {
  readonly start: number;
  readonly end: number;
}

/** Trailing symbols are part of words such as "C++" and "C#". Between letters, they are operators. */
const SYMBOLS = '[+＋]{2}|[#＃](?![\\p{L}\\p{N}#＃])';
/** Leading dot of words such as ".NET". */
const DOT = '\\.(?<![\\p{L}\\p{N}.]\\.)(?=\\p{L})';
const wordOf = (letter: string): string =>
  `(?<dot>${DOT})?(?<letters>${letter}(?:${letter}|[\\p{M}\\p{DI}])*)(?<symbols>${SYMBOLS})?`;
const WORD = new RegExp(wordOf('[\\p{L}\\p{N}]'), 'gu');
const WORD_OR_RUN = new RegExp(`(?<run>${RUN})|${wordOf(`(?!${RUN_LETTER})[\\p{L}\\p{N}]`)}`, 'gu');

const cut = (word: string): string => word.slice(0, MAX_WORD_LENGTH);

/** Yields words, which are sequences of letters and digits, and runs of scripts without spaces as their letters. */
export function* wordsAndRuns(text: string): Generator<WordPlace | readonly Unit[]> {
  for (const { index: start, 0: found, groups = {} } of text.matchAll(hasRun(text) ? WORD_OR_RUN : WORD)) {
    if (groups['run'] !== undefined) yield unitsOf(found, start);
    else {
      const { word, spelling } = wordIn(groups);
      if (word !== '') yield { word, spelling, start, end: start + found.length };
    }
  }
}

function wordIn(groups: Readonly<Record<string, string | undefined>>): FoldedWord {
  const { dot = '', letters = '', symbols = '' } = groups;
  const { word, spelling } = foldedWord(letters, dot);
  return { word: word && cut(word + symbols.normalize('NFKC')), spelling: spelling && cut(spelling) };
}

export const isRun = (piece: WordPlace | readonly Unit[]): piece is readonly Unit[] => Array.isArray(piece);

/** Index tokens: words, their spellings if different, and the grams of runs. */
export const wordsOf = (text: string): string[] =>
  plainWordsOf(text) ??
  Array.from(wordsAndRuns(text)).flatMap((piece) => {
    if (isRun(piece)) return gramsOf(piece.map(({ word }) => word));
    return piece.spelling === undefined ? [piece.word] : [piece.word, piece.spelling];
  });

/** Words and letters of runs, in text order. */
export const wordsInOrder = (text: string): string[] =>
  plainWordsOf(text) ??
  Array.from(wordsAndRuns(text)).flatMap((piece) =>
    isRun(piece) ? piece.map(({ word }) => word) : [piece.word],
  );

const HAS_SPELLING = /(?:^|[^a-z0-9.])\.[a-z]/;

/** Fast path for ASCII texts without spellings, because a rebuild reads all texts. */
function plainWordsOf(text: string): string[] | undefined {
  if (!ASCII.test(text)) return undefined;
  const lower = text.toLowerCase();
  if (HAS_SPELLING.test(lower)) return undefined;
  const words = lower.match(/[a-z0-9]+(?:\+\+|#(?![a-z0-9#]))?/g) ?? [];
  return text.length <= MAX_WORD_LENGTH ? words : words.map(cut);
}

const PLAIN = /^[a-z0-9]*$/;
const NO_LETTERS = /[^\p{L}\p{N}]+/gu;

/** Maximum typos in a word: 0 up to 2 letters, 1 up to 5, else 2. Vowel signs and symbols do not count as letters. */
export function editsAllowed(word: string): 0 | 1 | 2 {
  const letters = PLAIN.test(word) ? word.length : [...word.replace(NO_LETTERS, '')].length;
  if (letters <= 2) return 0;
  return letters <= 5 ? 1 : 2;
}

/** Rows of the distance matrix. Words are truncated, so rows never grow. */
const ROWS = [0, 1, 2].map(() => new Uint8Array(MAX_WORD_LENGTH + 3));

/**
 * Damerau–Levenshtein distance (optimal string alignment), or undefined if above `max`. Only fills the cells around the diagonal of the
 * matrix that `max` edits can reach.
 */
export function editsBetween(a: string, b: string, max: number): number | undefined {
  if (Math.abs(a.length - b.length) > max) return undefined;
  const tooMany = max + 1;
  let [before, previous, current] = ROWS as [Uint8Array, Uint8Array, Uint8Array];
  for (let column = 0; column <= tooMany; column += 1) previous[column] = column;
  for (let row = 1; row <= a.length; row += 1) {
    const from = Math.max(1, row - max);
    const to = Math.min(b.length, row + max);
    current[from - 1] = from === 1 ? Math.min(row, tooMany) : tooMany;
    current[to + 1] = tooMany;
    let min = at(current, from - 1);
    for (let column = from; column <= to; column += 1) {
      const isSame = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      let edits = at(previous, column - 1) + (isSame ? 0 : 1);
      edits = Math.min(edits, at(previous, column) + 1, at(current, column - 1) + 1);
      if (!isSame && isSwap(a, b, row, column)) edits = Math.min(edits, at(before, column - 2) + 1);
      current[column] = edits;
      if (edits < min) min = edits;
    }
    if (min > max) return undefined;
    [before, previous, current] = [previous, current, before];
  }
  const edits = at(previous, b.length);
  return edits <= max ? edits : undefined;
}

const at = (row: Uint8Array, column: number): number => row[column] ?? 0;

/** Whether the last two letters are swapped. */
const isSwap = (a: string, b: string, row: number, column: number): boolean =>
  row > 1 &&
  column > 1 &&
  a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
  a.charCodeAt(row - 2) === b.charCodeAt(column - 1);
