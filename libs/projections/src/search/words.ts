/** What no decomposition turns into plain letters. */
const SPELT: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
};
const HAS_SPELT = /[ßæœøđðþłı]/g;
const PLAIN = /^[a-z0-9]*$/;

/** Without case and accents, so that "Éléments", "elements" and "ELEMENTS" are one word. */
export function folded(text: string): string {
  const lower = text.toLowerCase();
  if (PLAIN.test(lower)) return lower;
  return lower
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(HAS_SPELT, (letter) => SPELT[letter] ?? letter);
}

/** Longer ones are no words of any language; their beginnings are searched for. */
const LONGEST_WORD = 40;

export interface WordPlace {
  /** Folded. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** Words are runs of letters and digits. */
export function* wordPlaces(text: string): Generator<WordPlace> {
  for (const match of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu)) {
    const word = folded(match[0]).slice(0, LONGEST_WORD);
    if (word !== '') yield { word, start: match.index, end: match.index + match[0].length };
  }
}

export const wordsOf = (text: string): string[] => Array.from(wordPlaces(text), ({ word }) => word);

/** How many typing mistakes a word may have: none up to 2 letters, 1 up to 5, else 2. */
export function editsAllowed(word: string): 0 | 1 | 2 {
  if (word.length <= 2) return 0;
  return word.length <= 5 ? 1 : 2;
}

/** Rows of the table of distances; words are cut, so they never grow. */
const ROWS = [0, 1, 2].map(() => new Uint8Array(LONGEST_WORD + 2));

/** Letters put in, left out, changed or swapped with their neighbour; undefined where it takes more than `most`. */
export function editsBetween(a: string, b: string, most: number): number | undefined {
  if (Math.abs(a.length - b.length) > most) return undefined;
  let [before, previous, current] = ROWS as [Uint8Array, Uint8Array, Uint8Array];
  for (let column = 0; column <= b.length; column += 1) previous[column] = column;
  for (let row = 1; row <= a.length; row += 1) {
    const letter = a.charCodeAt(row - 1);
    const letterBefore = row > 1 ? a.charCodeAt(row - 2) : -1;
    current[0] = row;
    let least = row;
    for (let column = 1; column <= b.length; column += 1) {
      const other = b.charCodeAt(column - 1);
      let edits = at(previous, column - 1) + (letter === other ? 0 : 1);
      edits = Math.min(edits, at(previous, column) + 1, at(current, column - 1) + 1);
      if (column > 1 && letter === b.charCodeAt(column - 2) && letterBefore === other)
        edits = Math.min(edits, at(before, column - 2) + 1);
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
