import type { TextPart } from './search-engine.js';
import { wordPlaces } from './words.js';

export type IsMatch = (word: string) => boolean;

/** The text in pieces, those words a piece each that the query found. */
export function highlighted(text: string, isMatch: IsMatch): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const place of wordPlaces(text)) {
    if (!isMatch(place.word)) continue;
    if (place.start > end) parts.push({ text: text.slice(end, place.start), isMatch: false });
    parts.push({ text: text.slice(place.start, place.end), isMatch: true });
    end = place.end;
  }
  if (end < text.length) parts.push({ text: text.slice(end), isMatch: false });
  return parts;
}

const EXCERPT_LENGTH = 180;
/** Words before the first match, so that it does not stand alone. */
const LEAD_LENGTH = 50;
const MORE = '…';

/** Cut from a long text around its first match; from the beginning where there is none. Words are kept whole. */
export function excerptAround(text: string, isMatch: IsMatch): TextPart[] {
  if (text.length <= EXCERPT_LENGTH) return highlighted(text, isMatch);
  const places = [...wordPlaces(text)];
  const match = places.find(({ word }) => isMatch(word))?.start ?? 0;
  const from =
    match <= LEAD_LENGTH ? 0 : (places.find(({ start }) => start >= match - LEAD_LENGTH)?.start ?? 0);
  const to = endOf(text, from, places);
  const parts = highlighted(text.slice(from, to), isMatch);
  return [
    ...(from > 0 ? [{ text: MORE, isMatch: false }] : []),
    ...parts,
    ...(to < text.length ? [{ text: MORE, isMatch: false }] : []),
  ];
}

function endOf(text: string, from: number, places: readonly { readonly end: number }[]): number {
  const limit = from + EXCERPT_LENGTH;
  if (limit >= text.length) return text.length;
  const fitting = places.filter(({ end }) => end > from && end <= limit).at(-1);
  // A single word that is longer than the excerpt is cut, but not through a surrogate pair.
  return fitting?.end ?? limit - (/[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? 1 : 0);
}
