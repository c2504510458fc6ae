const EXCERPT_LENGTH = 160;
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

/** Plain text on one line, of as much of a body as is scanned. The body is sanitised HTML, so its markup is well-formed. */
export const plainTextOf = (html: string, scanned = html.length): string =>
  html
    .slice(0, scanned)
    .replace(/<[^>]*(?:>|$)/g, wordsOf)
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();

/** The one way in which a stored formula is written, whole. */
const FORMULA = /<(code|pre) class="nimo-math">([^<]*)<\/\1>/g;

/** What a list card shows of a body: text, its formulas between dollar signs, so that a reader can tell them from the words. */
export function excerptOf(html: string): string {
  const marked = html.slice(0, SCANNED_LENGTH).replace(FORMULA, (_, tag: string, source: string) => {
    const formula = `$${source.trim()}$`;
    return tag === 'pre' ? ` ${formula} ` : formula;
  });
  const text = plainTextOf(marked);
  // By code points: a cut inside a surrogate pair is no text that PostgreSQL stores.
  return text.length <= EXCERPT_LENGTH ? text : Array.from(text).slice(0, EXCERPT_LENGTH).join('').trimEnd();
}
