import { cutText } from '@nimo/domain';

export const EXCERPT_LENGTH = 160;
/** Enough of a body to fill the excerpt, however dense its markup; the rest is never looked at. */
const SCANNED_LENGTH = 4_000;

/** Elements within a line: what stands on both sides of their tags is one word. */
const INLINE = /^<\/?(?:a|b|strong|i|em|u|s|del|code|span|sub|sup|kbd)\b/i;

/** Sanitised: its attributes stand in one order. */
const PICTURE = /^<img\b[^>]* alt="([^">]*)"/i;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
};

/** What a picture shows is said by its description. */
const wordsOf = (tag: string): string => {
  if (INLINE.test(tag)) return '';
  const [, described = ''] = PICTURE.exec(tag) ?? [];
  return ` ${described} `;
};

/** Rest of an entity, or of a character of two code units, at the end of a cut text. */
const TORN_END = /(?:&[a-z0-9#]{0,5}|[\ud800-\udbff])$/;

const beginningOf = (html: string, length: number): string =>
  html.length < length ? html : html.slice(0, length).replace(TORN_END, '');

/** Plain text on one line, of as much of a body as is scanned. The body is sanitised HTML, so its markup is well-formed. */
export const plainTextOf = (html: string, scanned = Infinity): string =>
  beginningOf(html, scanned)
    .replace(/<[^>]*(?:>|$)/g, wordsOf)
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();

/**
 * A stored formula as it is always written, or a part with dollar signs that belong to no formula: code, a `<span>` of such signs, or a
 * text with a single one, as a formula between dollar signs lies within one text.
 */
const FORMULA_OR_LITERAL =
  /<(code|pre) class="nimo-math">([^<]*)<\/\1>|<(pre|code|kbd)\b[^>]*>[^]*?(?:<\/\3>|$)|<span>\$+<\/span>|(?<=^|>)[^<$]*\$[^<$]*(?=<|$)/g;

/** An invisible separator, on both sides of each formula of a marked text. */
const FORMULA_MARK = '\u2063';

/** With an invisible word joiner: a dollar sign that belongs to no formula. */
const LITERAL_DOLLAR = '$\u2060';

/** Where the formulas of a marked text lie, marks included; in UTF-16 code units. */
export const formulaSpansOf = (marked: string): { readonly start: number; readonly end: number }[] =>
  Array.from(marked.matchAll(/\u2063[^\u2063]*\u2063/g), ({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));

/** A marked text for clients that draw no formulas. */
export const withoutFormulaMarks = (excerpt: string): string =>
  excerpt.replaceAll(FORMULA_MARK, '').replaceAll(LITERAL_DOLLAR, () => '$');

/**
 * Plain text on one line, with each formula between dollar signs. Invisible marks tell these from dollar signs that belong to no
 * formula. Unmarked ones may enclose a formula of a post from elsewhere.
 */
export function markedTextOf(html: string, scanned: number): string {
  const marked = beginningOf(html, scanned)
    .replaceAll(FORMULA_MARK, '')
    .replace(FORMULA_OR_LITERAL, (literal, tag: string | undefined, source = '') => {
      if (tag === undefined) return literal.replaceAll('$', () => LITERAL_DOLLAR);
      const formula = `${FORMULA_MARK}$${String(source).trim()}$${FORMULA_MARK}`;
      return tag === 'pre' ? ` ${formula} ` : formula;
    });
  return plainTextOf(marked);
}

/** The first words of a body, for list cards, as marked text. The cut may go through a formula. */
export const excerptOf = (html: string): string =>
  cutText(markedTextOf(html, SCANNED_LENGTH), EXCERPT_LENGTH).trimEnd();
