import { truncateText } from '@nimo/domain';

export const EXCERPT_LENGTH = 160;
/** Enough of a body to fill an excerpt even with dense markup. The rest is ignored. */
const SCANNED_LENGTH = 4_000;

/** Inline elements, whose tags do not separate words. */
const INLINE = /^<\/?(?:a|b|strong|i|em|u|s|del|code|span|sub|sup|kbd)\b/i;

/** Relies on the attribute order of sanitised HTML. */
const PICTURE = /^<img\b[^>]* alt="([^">]*)"/i;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
};

/** Replaces a tag: pictures become their description, other tags a space or nothing. */
const wordsOf = (tag: string): string => {
  if (INLINE.test(tag)) return '';
  const [, description = ''] = PICTURE.exec(tag) ?? [];
  return ` ${description} `;
};

/** Partial entity or surrogate pair at the end of cut text. */
const PARTIAL_END = /(?:&[a-z0-9#]{0,5}|[\ud800-\udbff])$/;

const truncated = (html: string, length: number): string =>
  html.length < length ? html : html.slice(0, length).replace(PARTIAL_END, '');

/** Plain text of sanitised HTML on one line. @param scanned maximum length of HTML to read */
export const plainTextOf = (html: string, scanned = Infinity): string =>
  truncated(html, scanned)
    .replace(/<[^>]*(?:>|$)/g, wordsOf)
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();

/**
 * A stored formula, or literal dollar signs: in code, in a `<span>` of dollar signs, or single in a text node, because formulas between
 * dollar signs do not span text nodes.
 */
const FORMULA_OR_LITERAL =
  /<(code|pre) class="nimo-math">([^<]*)<\/\1>|<(pre|code|kbd)\b[^>]*>[^]*?(?:<\/\3>|$)|<span>\$+<\/span>|(?<=^|>)[^<$]*\$[^<$]*(?=<|$)/g;

/** Invisible separator on both sides of each formula in marked text. */
const FORMULA_MARK = '\u2063';

/** Literal dollar sign in marked text, followed by a word joiner. */
const LITERAL_DOLLAR = '$\u2060';

/** Spans of the formulas in marked text, including marks, in UTF-16 code units. */
export const formulaSpansOf = (marked: string): { readonly start: number; readonly end: number }[] =>
  Array.from(marked.matchAll(/\u2063[^\u2063]*\u2063/g), ({ index, 0: { length } }) => ({
    start: index,
    end: index + length,
  }));

/** Removes the marks for clients that do not render formulas. */
export const withoutFormulaMarks = (excerpt: string): string =>
  excerpt.replaceAll(FORMULA_MARK, '').replaceAll(LITERAL_DOLLAR, () => '$');

/**
 * Plain text on one line, with formulas between dollar signs. Invisible marks distinguish them from literal dollar signs. Unmarked
 * dollar signs may enclose formulas of imported posts.
 */
export function markedTextOf(html: string, scanned: number): string {
  const marked = truncated(html, scanned)
    .replaceAll(FORMULA_MARK, '')
    .replace(FORMULA_OR_LITERAL, (literal, tag: string | undefined, source = '') => {
      if (tag === undefined) return literal.replaceAll('$', () => LITERAL_DOLLAR);
      const formula = `${FORMULA_MARK}$${String(source).trim()}$${FORMULA_MARK}`;
      return tag === 'pre' ? ` ${formula} ` : formula;
    });
  return plainTextOf(marked);
}

/** Start of a body as marked text, for list cards. May cut a formula. */
export const excerptOf = (html: string): string =>
  truncateText(markedTextOf(html, SCANNED_LENGTH), EXCERPT_LENGTH).trimEnd();
