/** Letters that no decomposition turns into plain ones. */
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
const PLAIN = /^[a-z0-9]*$/;

/** Soft hyphens, zero-width characters and variation selectors: readers don't see them, so searches ignore them. U+0640 stretches Arabic words. */
const INVISIBLE = '\\p{DI}\\u0640';

/**
 * Accents of Latin, Greek and Cyrillic, and the points of Arabic and Hebrew that most people leave out. In other scripts a mark belongs
 * to the spelling: without vowel signs, three Hindi words become one. U+3099 and U+309A make another kana.
 */
const ACCENT =
  '(?![\\u3099\\u309a])(?=\\p{M})[\\p{Script=Inherited}\\p{Script=Greek}\\p{Script=Cyrillic}\\p{Script=Arabic}\\p{Script=Hebrew}]';

/** Characters that folding changes in a lower-case word with decomposed accents. */
const FOLDED_AWAY = new RegExp(`${ACCENT}|[${Object.keys(SPELT).join('')}]|^\\.`, 'gu');
/** Most words need no more than this look. */
const FOLDED_ALREADY = new RegExp(
  `^(?:(?![${Object.keys(SPELT).join('')}${INVISIBLE}])[\\p{L}\\p{N}])*$`,
  'u',
);
/** The parts of a letter or a digit may be other signs: "½" has a stroke. */
const NOT_IN_WORDS = new RegExp(`[${INVISIBLE}]|[^\\p{L}\\p{N}\\p{M}]`, 'gu');

/** Starts every spelling. It is neither a letter nor a digit, so no word contains it. */
export const SPELLING = '_';

export interface FoldedWord {
  /** Without case, accents and invisible characters, so that "Éléments", "elements" and "ELEMENTS" are one word. */
  readonly word: string;
  /**
   * A token for the exact spelling, for example "_e_ldte" for "éte"; undefined if folding removes nothing. What it removes is written as
   * code points in base 36, because an engine may drop accents and dots itself.
   */
  readonly spelling?: string | undefined;
}

/**
 * A word, of whose parts only letters, digits and marks count.
 * @param dot the one before it, or nothing
 */
export function foldedWord(text: string, dot = ''): FoldedWord {
  const lower = text.toLowerCase();
  if (dot === '' && PLAIN.test(lower)) return { word: lower };
  // NFKD comes first, as mathematical letters have no lower case.
  const parts = text.normalize('NFKD').toLowerCase();
  if (dot === '' && FOLDED_ALREADY.test(parts)) return { word: parts.normalize('NFC') };
  const exact = dot + parts.replace(NOT_IN_WORDS, '');
  const spelled = exact.replace(FOLDED_AWAY, (sign) => SPELLING + (sign.codePointAt(0) ?? 0).toString(36));
  const word = exact.replace(FOLDED_AWAY, (sign) => SPELT[sign] ?? '').normalize('NFC');
  return { word, spelling: spelled === exact ? undefined : SPELLING + spelled };
}
