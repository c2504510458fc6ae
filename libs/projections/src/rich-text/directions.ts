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
