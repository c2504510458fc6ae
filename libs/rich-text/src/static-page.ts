import { BLOCKS, VOID_TAGS } from './rules.js';

const TAG = /<(\/?)([a-z0-9]+)/g;
const CONTAINER_BLOCKS: ReadonlySet<string> = new Set(BLOCKS.filter((name) => !VOID_TAGS.includes(name)));
const CODE: ReadonlySet<string> = new Set(['code', 'pre']);

/**
 * Adds text directions for pages without the app: outermost blocks get `dir="auto"`, code gets `dir="ltr"`. Nested blocks get none,
 * because `auto` ignores descendants with `dir`; style sheets handle them.
 */
export function withDirections(html: string): string {
  let depth = 0;
  return html.replace(TAG, (tag, slash: string, name: string) => {
    if (CONTAINER_BLOCKS.has(name)) depth += slash === '' ? 1 : -1;
    if (slash !== '') return tag;
    if (CODE.has(name)) return `${tag} dir="ltr"`;
    return depth === 1 && CONTAINER_BLOCKS.has(name) ? `${tag} dir="auto"` : tag;
  });
}

const TEXT_AND_TAGS = /(<[^>]*>)/;
/** Not next to a line feed, where white space only indents imported HTML. */
const RUN = /(?<!\s)(?: {2,}| *\t[ \t]*)(?!\s)/g;
/** At the start of a line, where HTML collapses even a single space. */
const RUN_OR_INDENT = /(?:^ |(?<!\s)(?: {2,}| *\t[ \t]*))(?!\s)/g;
const LINE_START = /^<(?:br|p)\b/;
const INLINE = 'a|b|code|em|i|img|kbd|s|span|strong|sub|sup|u';
const INLINE_START = new RegExp(`^<(?:${INLINE})\\b`);
const INLINE_END = new RegExp(`^<(?:img|/(?:${INLINE}))\\b`);

/** Wraps runs of spaces and tabs, which HTML would collapse, for pages without the app. In the app, `keepSpaces` does the same. */
export function withSpaces(html: string): string {
  if (!/ {2}|\t|> /.test(html)) return html;
  let codeBlocks = 0;
  return html
    .split(TEXT_AND_TAGS)
    .map((part, index, parts) => {
      if (part.startsWith('<pre')) codeBlocks += 1;
      else if (part.startsWith('</pre')) codeBlocks -= 1;
      if (part === '' || part.startsWith('<') || codeBlocks > 0) return part;
      const before = parts[index - 1] ?? '';
      const isLineStart = LINE_START.test(before);
      const isBetween = INLINE_START.test(parts[index + 1] ?? '') && (isLineStart || INLINE_END.test(before));
      if (part.trim() === '' && !isBetween) return part;
      return part.replace(isLineStart ? RUN_OR_INDENT : RUN, '<span class="nimo-spaces">$&</span>');
    })
    .join('');
}
