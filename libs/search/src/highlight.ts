import { formulaSpansOf } from '@nimo/rich-text';
import { isRun, type Unit, wordsAndRuns } from '@nimo/projections';
import type { TextPart } from './search-engine.js';

export type IsMatch = (word: string) => boolean;

/** Words that the engine found, and letters of runs, which are marked wherever they stand in a row. */
export interface Marks {
  readonly isMatch: IsMatch;
  readonly runs: readonly (readonly string[])[];
}

interface Place {
  readonly start: number;
  readonly end: number;
  readonly isMatch: boolean;
}

/** Words, and the letters of runs, of which those that match come together. */
function* placesIn(text: string, { isMatch, runs }: Marks): Generator<Place> {
  for (const piece of wordsAndRuns(text)) {
    if (isRun(piece)) yield* placesInRun(piece, runs);
    else yield { start: piece.start, end: piece.end, isMatch: isMatch(piece.word) };
  }
}

function* placesInRun(units: readonly Unit[], runs: Marks['runs']): Generator<Place> {
  for (let at = 0; at < units.length;) {
    const found = longestAt(units, at, runs);
    const last = at + Math.max(found, 1) - 1;
    yield { start: units[at]?.start ?? 0, end: units[last]?.end ?? 0, isMatch: found > 0 };
    at = last + 1;
  }
}

/** How many letters match from here on. */
function longestAt(units: readonly Unit[], at: number, runs: Marks['runs']): number {
  const isAt = (letters: readonly string[]) =>
    letters.every((letter, place) => units[at + place]?.word === letter);
  return runs.reduce((most, letters) => (letters.length > most && isAt(letters) ? letters.length : most), 0);
}

/** The text in pieces, with a piece for each match; matches without a gap are one. */
export const highlighted = (text: string, marks: Marks): TextPart[] =>
  partsOf(text, { start: 0, end: text.length, places: [...placesIn(text, marks)] });

interface Range {
  readonly start: number;
  readonly end: number;
  readonly places: readonly Place[];
}

function partsOf(text: string, { start, end, places }: Range): TextPart[] {
  const parts: TextPart[] = [];
  let done = start;
  const add = (until: number, isMatch: boolean) => {
    const piece = text.slice(done, until);
    const last = parts.at(-1);
    if (piece !== '' && last?.isMatch === isMatch) parts.splice(-1, 1, { text: last.text + piece, isMatch });
    else if (piece !== '') parts.push({ text: piece, isMatch });
    done = until;
  };
  for (const place of places) {
    if (!place.isMatch || place.start < start || place.end > end) continue;
    add(place.start, false);
    add(place.end, true);
  }
  add(end, false);
  return parts;
}

const EXCERPT_LENGTH = 180;
/** Words before the first match, so that it does not stand alone. */
const LEAD_LENGTH = 50;
const MORE = '…';

/** Cut from a long marked text around its first match; from the beginning where there is none. Words and formulas are kept whole. */
export function excerptAround(text: string, marks: Marks): TextPart[] {
  if (text.length <= EXCERPT_LENGTH) return highlighted(text, marks);
  const places = [...placesIn(text, marks)];
  const formulas = formulaSpansOf(text);
  const formulaAround = (cut: number) => formulas.find((formula) => formula.start < cut && cut < formula.end);
  const match = places.find(({ isMatch }) => isMatch)?.start ?? 0;
  const first =
    match <= LEAD_LENGTH ? 0 : (places.find((place) => place.start >= match - LEAD_LENGTH)?.start ?? 0);
  const start = formulaAround(first)?.start ?? first;
  const last = endOf(text, start, places);
  const end = formulaAround(last)?.end ?? last;
  return [
    ...(start > 0 ? [{ text: MORE, isMatch: false }] : []),
    ...partsOf(text, { start, end, places }),
    ...(end < text.length ? [{ text: MORE, isMatch: false }] : []),
  ];
}

function endOf(text: string, from: number, places: readonly { readonly end: number }[]): number {
  const limit = from + EXCERPT_LENGTH;
  if (limit >= text.length) return text.length;
  const fitting = places.filter(({ end }) => end > from && end <= limit).at(-1);
  // A single word that is longer than the excerpt is cut, but not through a surrogate pair.
  return fitting?.end ?? limit - (/[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? 1 : 0);
}
