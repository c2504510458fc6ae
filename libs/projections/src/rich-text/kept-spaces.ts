const TAGS = /(<[^>]*>)/;
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
    .split(TAGS)
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
