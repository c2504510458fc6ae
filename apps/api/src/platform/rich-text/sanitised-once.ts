import { sanitiseRichText } from './sanitise.js';

/** Of what was sanitised, before and after. */
const KEPT_LENGTH = 8 * 1024 * 1024;

const kept = new Map<string, string>();
let length = 0;

/** As `sanitiseRichText`, of whose latest results some are kept: a page that everybody may ask for costs its work once. */
export function sanitisedOnce(html: string): string {
  const known = kept.get(html);
  if (known !== undefined) {
    // The latest used is last, and the first is dropped.
    kept.delete(html);
    kept.set(html, known);
    return known;
  }
  const clean = sanitiseRichText(html);
  kept.set(html, clean);
  length += html.length + clean.length;
  for (const [oldest, result] of kept) {
    if (length <= KEPT_LENGTH) break;
    kept.delete(oldest);
    length -= oldest.length + result.length;
  }
  return clean;
}
