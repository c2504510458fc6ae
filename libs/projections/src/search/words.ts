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
  if (PLAIN.test(text)) return text;
  // First what they are made of: a letter of mathematics has no small one.
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(HAS_SPELT, (letter) => SPELT[letter] ?? letter);
}

/** Longer ones are no words of any language; their beginnings are searched for. */
const MAX_WORD_LENGTH = 40;

const ASCII = /^[\0-\x7f]*$/;

export interface WordPlace {
  /** Folded. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
}

/** Words are runs of letters and digits. */
export function* wordPlaces(text: string): Generator<WordPlace> {
  for (const match of text.matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu)) {
    const [found] = match;
    // The parts of a letter or a digit may be other signs: "½" has a stroke.
    const whole = ASCII.test(found) ? found.toLowerCase() : folded(found).replace(/[^\p{L}\p{N}]+/gu, '');
    const word = whole.slice(0, MAX_WORD_LENGTH);
    if (word !== '') yield { word, start: match.index, end: match.index + found.length };
  }
}

/** The words of `wordPlaces` without their places: most texts are plain, and a rebuild reads all there are. */
export function wordsOf(text: string): string[] {
  if (!ASCII.test(text)) return Array.from(wordPlaces(text), ({ word }) => word);
  const words = text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  return text.length <= MAX_WORD_LENGTH ? words : words.map((word) => word.slice(0, MAX_WORD_LENGTH));
}

/** How many typing mistakes a word may have: none up to 2 letters, 1 up to 5, else 2. */
export function editsAllowed(word: string): 0 | 1 | 2 {
  if (word.length <= 2) return 0;
  return word.length <= 5 ? 1 : 2;
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
