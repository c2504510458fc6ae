const EXCERPT_LENGTH = 160;
/** Enough of a body to fill the excerpt, however dense its markup; the rest is never looked at. */
const SCANNED_LENGTH = 4_000;

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  nbsp: ' ',
};

/** What a list card shows of a body: plain text on one line. The body is sanitised HTML, so its markup is well-formed. */
export function excerptOf(html: string): string {
  const text = html
    .slice(0, SCANNED_LENGTH)
    .replace(/<[^>]*(>|$)/g, ' ')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (entity, name: string) => ENTITIES[name] ?? entity)
    .replace(/\s+/g, ' ')
    .trim();
  // By code points: a cut inside a surrogate pair is no text that PostgreSQL stores.
  return text.length <= EXCERPT_LENGTH ? text : Array.from(text).slice(0, EXCERPT_LENGTH).join('').trimEnd();
}
