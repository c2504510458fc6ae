import { type FoldedWord, foldedWord } from './folding.js';
import { gramsOf, hasRun, RUN, RUN_LETTER, type Unit, unitsOf } from './runs.js';

/** Longer ones are no words of any language; their beginnings are searched for. */
export const MAX_WORD_LENGTH = 40;

const ASCII = /^[\0-\x7f]*$/;

/** A word at its place in a text. */
export interface WordPlace extends FoldedWord {
  readonly start: number;
  readonly end: number;
}

/** Signs between letters are operators. At the end they make "C++" and "C#" words of their own, and a dot at the beginning spells ".NET". */
const SYMBOLS = '[+＋]{2}|[#＃](?![\\p{L}\\p{N}#＃])';
const DOT = '\\.(?<![\\p{L}\\p{N}.]\\.)(?=\\p{L})';
const wordOf = (letter: string): string =>
  `(?<dot>${DOT})?(?<letters>${letter}(?:${letter}|[\\p{M}\\p{DI}])*)(?<symbols>${SYMBOLS})?`;
const WORD = new RegExp(wordOf('[\\p{L}\\p{N}]'), 'gu');
const WORD_OR_RUN = new RegExp(`(?<run>${RUN})|${wordOf(`(?!${RUN_LETTER})[\\p{L}\\p{N}]`)}`, 'gu');

const cut = (word: string): string => word.slice(0, MAX_WORD_LENGTH);

/** Words are letters and digits in a row. A run of a script without spaces comes as its letters. */
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

/** Tokens for an index: words, their spellings where these differ, and the grams of runs. */
export const wordsOf = (text: string): string[] =>
  plainWordsOf(text) ??
  Array.from(wordsAndRuns(text)).flatMap((piece) => {
    if (isRun(piece)) return gramsOf(piece.map(({ word }) => word));
    return piece.spelling === undefined ? [piece.word] : [piece.word, piece.spelling];
  });

/** Words and letters of runs as they follow each other. */
export const wordsInOrder = (text: string): string[] =>
  plainWordsOf(text) ??
  Array.from(wordsAndRuns(text)).flatMap((piece) =>
    isRun(piece) ? piece.map(({ word }) => word) : [piece.word],
  );

const HAS_SPELLING = /(?:^|[^a-z0-9.])\.[a-z]/;

/** The fast path: in most ASCII texts every word is its own token, and a rebuild reads all texts. */
function plainWordsOf(text: string): string[] | undefined {
  if (!ASCII.test(text)) return undefined;
  const lower = text.toLowerCase();
  if (HAS_SPELLING.test(lower)) return undefined;
  const words = lower.match(/[a-z0-9]+(?:\+\+|#(?![a-z0-9#]))?/g) ?? [];
  return text.length <= MAX_WORD_LENGTH ? words : words.map(cut);
}

const PLAIN = /^[a-z0-9]*$/;
const NO_LETTERS = /[^\p{L}\p{N}]+/gu;

/** How many typing mistakes a word may have: none up to 2 letters, 1 up to 5, else 2. A letter with its vowel sign is one, symbols are none. */
export function editsAllowed(word: string): 0 | 1 | 2 {
  const letters = PLAIN.test(word) ? word.length : [...word.replace(NO_LETTERS, '')].length;
  if (letters <= 2) return 0;
  return letters <= 5 ? 1 : 2;
}

/** Rows of the table of distances; words are cut, so they never grow. */
const ROWS = [0, 1, 2].map(() => new Uint8Array(MAX_WORD_LENGTH + 3));

/**
 * Letters put in, left out, changed or swapped with their neighbour; undefined where it takes more than `most`. Of the table, only
 * the cells are filled that are as near to its diagonal as so few edits can lead.
 */
export function editsBetween(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined;
  const tooMany = most + 1;
  let [before, previous, current] = ROWS as [Uint8Array, Uint8Array, Uint8Array];
  for (let column = 0; column <= tooMany; column += 1) previous[column] = column;
  for (let row = 1; row <= a.length; row += 1) {
    const from = Math.max(1, row - most);
    const to = Math.min(b.length, row + most);
    current[from - 1] = from === 1 ? Math.min(row, tooMany) : tooMany;
    current[to + 1] = tooMany;
    let least = at(current, from - 1);
    for (let column = from; column <= to; column += 1) {
      const isSame = a.charCodeAt(row - 1) === b.charCodeAt(column - 1);
      let edits = at(previous, column - 1) + (isSame ? 0 : 1);
      edits = Math.min(edits, at(previous, column) + 1, at(current, column - 1) + 1);
      if (!isSame && isSwap(a, b, row, column)) edits = Math.min(edits, at(before, column - 2) + 1);
      current[column] = edits;
      if (edits < least) least = edits;
    }
    if (least > most) return undefined;
    [before, previous, current] = [previous, current, before];
  }
  const edits = at(previous, b.length);
  return edits <= most ? edits : undefined;
}

const at = (row: Uint8Array, column: number): number => row[column] ?? 0;

/** Whether the letters that end here and there are the same two in the other order. */
const isSwap = (a: string, b: string, row: number, column: number): boolean =>
  row > 1 &&
  column > 1 &&
  a.charCodeAt(row - 1) === b.charCodeAt(column - 2) &&
  a.charCodeAt(row - 2) === b.charCodeAt(column - 1);
