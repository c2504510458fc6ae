const EXCERPT_LENGTH = 160;
/** Enough of a body to fill the excerpt, however dense its markup; the rest is never looked at. */
const SCANNED_LENGTH = 4_000;

/** Elements within a line: what stands on both sides of their tags is one word. */
const INLINE = /^<\/?(?:a|b|strong|i|em|u|s|del|code|span|sub|sup|kbd)\b/i;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
};

/** Plain text on one line, of as much of a body as is scanned. The body is sanitised HTML, so its markup is well-formed. */
export const plainTextOf = (html: string, scanned = html.length): string =>
  html
    .slice(0, scanned)
    .replace(/<[^>]*(?:>|$)/g, (tag) => (INLINE.test(tag) ? '' : ' '))
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();

/** What a list card shows of a body. */
export function excerptOf(html: string): string {
  const text = plainTextOf(html, SCANNED_LENGTH);
  // By code points: a cut inside a surrogate pair is no text that PostgreSQL stores.
  return text.length <= EXCERPT_LENGTH ? text : Array.from(text).slice(0, EXCERPT_LENGTH).join('').trimEnd();
}
