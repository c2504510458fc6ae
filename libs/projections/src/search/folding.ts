/** Letters without a Unicode decomposition. */
const TRANSLITERATIONS: Readonly<Record<string, string>> = {
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
const PLAIN = /^[a-z0-9]*$/;

/** Soft hyphens, zero-width characters, variation selectors, and U+0640, which stretches Arabic words. */
const INVISIBLE = '\\p{DI}\\u0640';

/**
 * Accents of Latin, Greek and Cyrillic, and the points of Arabic and Hebrew that most people omit. In other scripts, marks are part of the
 * spelling, such as Hindi vowel signs and the voicing marks U+3099 and U+309A of kana.
 */
const ACCENT =
  '(?![\\u3099\\u309a])(?=\\p{M})[\\p{Script=Inherited}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Arabic}\\p{Script=Hebrew}]';

/** Characters that folding changes in a lowercase word with decomposed accents. */
const REMOVED_BY_FOLDING = new RegExp(`${ACCENT}|[${Object.keys(TRANSLITERATIONS).join('')}]|^\\.`, 'gu');
/** Fast path for most words. */
const ALREADY_FOLDED = new RegExp(
  `^(?:(?![${Object.keys(TRANSLITERATIONS).join('')}${INVISIBLE}])[\\p{L}\\p{N}])*$`,
  'u',
);
/** A decomposed letter or digit may contain other characters: "½" contains a slash. */
const NOT_IN_WORDS = new RegExp(`[${INVISIBLE}]|[^\\p{L}\\p{N}\\p{M}]`, 'gu');

/** Prefix of spelling tokens. Words never contain it, because it is neither a letter nor a digit. */
export const SPELLING = '_';

export interface FoldedWord {
  /** Without case, accents and invisible characters: "Éléments", "elements" and "ELEMENTS" are the same word. */
  readonly word: string;
  /**
   * A token for the exact spelling, such as "_e_ldte" for "éte"; undefined if folding removes nothing. Removed characters are written as
   * base-36 code points, because search engines may drop accents and dots.
   */
  readonly spelling?: string | undefined;
}

/**
 * Folds a word. Only letters, digits and marks count.
 * @param dot the leading dot, if any
 */
export function foldedWord(text: string, dot = ''): FoldedWord {
  const lower = text.toLowerCase();
  if (dot === '' && PLAIN.test(lower)) return { word: lower };
  // Decomposes first, because mathematical letters have no lowercase.
  const parts = text.normalize('NFKD').toLowerCase();
  if (dot === '' && ALREADY_FOLDED.test(parts)) return { word: parts.normalize('NFC') };
  const exact = dot + parts.replace(NOT_IN_WORDS, '');
  const spelled = exact.replace(
    REMOVED_BY_FOLDING,
    (char) => SPELLING + (char.codePointAt(0) ?? 0).toString(36),
  );
  const word = exact.replace(REMOVED_BY_FOLDING, (char) => TRANSLITERATIONS[char] ?? '').normalize('NFC');
  return { word, spelling: spelled === exact ? undefined : SPELLING + spelled };
}
