import { BLOCKS, VOID_TAGS } from './rules.js';

const TAG = /<(\/?)([a-z0-9]+)/g;
const HOLDING: ReadonlySet<string> = new Set(BLOCKS.filter((name) => !VOID_TAGS.includes(name)));
const CODE: ReadonlySet<string> = new Set(['code', 'pre']);

/**
 * A stored body for a page without the app: each outermost block takes the direction of its own first letter, and code runs from left to
 * right. An element that says its direction counts for nothing in the one around it, so blocks in a block have none: style sheets set
 * those by paragraph.
 */
export function withDirections(html: string): string {
  let depth = 0;
  return html.replace(TAG, (tag, slash: string, name: string) => {
    if (HOLDING.has(name)) depth += slash === '' ? 1 : -1;
    if (slash !== '') return tag;
    if (CODE.has(name)) return `${tag} dir="ltr"`;
    return depth === 1 && HOLDING.has(name) ? `${tag} dir="auto"` : tag;
  });
}

const TEXT_AND_TAGS = /(<[^>]*>)/;
/** White space beside a line feed only indents the source of imported HTML. */
const RUN = /(?<!\s)(?: {2,}| *\t[ \t]*)(?!\s)/g;
/** At the start of a line HTML shows no space at all. */
const RUN_OR_INDENT = /(?:^ |(?<!\s)(?: {2,}| *\t[ \t]*))(?!\s)/g;
const LINE_START = /^<(?:br|p)\b/;
const INLINE = 'a|b|code|em|i|img|kbd|s|span|strong|sub|sup|u';
const INLINE_START = new RegExp(`^<(?:${INLINE})\\b`);
const INLINE_END = new RegExp(`^<(?:img|/(?:${INLINE}))\\b`);

/**
 * A stored body for a page without the app: HTML shows several spaces, or a tab, as one space, so runs of them go into elements
 * that keep them. `keepSpaces` does the same in the app.
 */
export function withSpaces(html: string): string {
  if (!/ {2}|\t|> /.test(html)) return html;
  let codeBlocks = 0;
  return html
    .split(TEXT_AND_TAGS)
    .map((part, at, parts) => {
      if (part.startsWith('<pre')) codeBlocks += 1;
      else if (part.startsWith('</pre')) codeBlocks -= 1;
      if (part === '' || part.startsWith('<') || codeBlocks > 0) return part;
      const before = parts[at - 1] ?? '';
      const isLineStart = LINE_START.test(before);
      const isBetween = INLINE_START.test(parts[at + 1] ?? '') && (isLineStart || INLINE_END.test(before));
      if (part.trim() === '' && !isBetween) return part;
      return part.replace(isLineStart ? RUN_OR_INDENT : RUN, '<span class="nimo-spaces">$&</span>');
    })
    .join('');
}
