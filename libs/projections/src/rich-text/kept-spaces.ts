const TAGS = /(<[^>]*>)/;
/** Spaces beside a line feed only indent the source of imported HTML. */
const RUN = /(?<!\s) {2,}(?!\s)/g;

/** A stored body for a page without the app: HTML shows several spaces as one, so runs of them go into elements that keep them. */
export function withSpaces(html: string): string {
  if (!html.includes('  ')) return html;
  let codeBlocks = 0;
  return html
    .split(TAGS)
    .map((part) => {
      if (part.startsWith('<pre')) codeBlocks += 1;
      else if (part.startsWith('</pre')) codeBlocks -= 1;
      const isText = !part.startsWith('<') && codeBlocks === 0 && part.trim() !== '';
      return isText ? part.replace(RUN, '<span class="nimo-spaces">$&</span>') : part;
    })
    .join('');
}
