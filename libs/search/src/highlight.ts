import { formulaSpansOf } from '@nimo/rich-text';
import { isRun, type Unit, wordsAndRuns } from '@nimo/projections';
import type { TextPart } from './search-engine.js';

export type IsMatch = (word: string) => boolean;

/** Words to mark, and sequences of letters to mark in text written without spaces. */
export interface Marks {
  readonly isMatch: IsMatch;
  readonly runs: readonly (readonly string[])[];
}

interface Span {
  readonly start: number;
  readonly end: number;
  readonly isMatch: boolean;
}

/** Words and run letters; the letters of a match form one span. */
function* spansIn(text: string, { isMatch, runs }: Marks): Generator<Span> {
  for (const piece of wordsAndRuns(text)) {
    if (isRun(piece)) yield* spansInRun(piece, runs);
    else yield { start: piece.start, end: piece.end, isMatch: isMatch(piece.word) };
  }
}

function* spansInRun(units: readonly Unit[], runs: Marks['runs']): Generator<Span> {
  for (let at = 0; at < units.length;) {
    const found = longestMatchAt(units, at, runs);
    const last = at + Math.max(found, 1) - 1;
    yield { start: units[at]?.start ?? 0, end: units[last]?.end ?? 0, isMatch: found > 0 };
    at = last + 1;
  }
}

/** Length of the longest match at this position, in letters. */
function longestMatchAt(units: readonly Unit[], at: number, runs: Marks['runs']): number {
  const isAt = (letters: readonly string[]) =>
    letters.every((letter, offset) => units[at + offset]?.word === letter);
  return runs.reduce((max, letters) => (letters.length > max && isAt(letters) ? letters.length : max), 0);
}

/** Splits the text into matching and other parts. Adjacent matches form one part. */
export const highlighted = (text: string, marks: Marks): TextPart[] =>
  partsOf(text, { start: 0, end: text.length, spans: [...spansIn(text, marks)] });

interface Range {
  readonly start: number;
  readonly end: number;
  readonly spans: readonly Span[];
}

function partsOf(text: string, { start, end, spans }: Range): TextPart[] {
  const parts: TextPart[] = [];
  let done = start;
  const add = (until: number, isMatch: boolean) => {
    const piece = text.slice(done, until);
    const last = parts.at(-1);
    if (piece !== '' && last?.isMatch === isMatch) parts.splice(-1, 1, { text: last.text + piece, isMatch });
    else if (piece !== '') parts.push({ text: piece, isMatch });
    done = until;
  };
  for (const span of spans) {
    if (!span.isMatch || span.start < start || span.end > end) continue;
    add(span.start, false);
    add(span.end, true);
  }
  add(end, false);
  return parts;
}

const EXCERPT_LENGTH = 180;
/** Characters of context before the first match. */
const LEAD_LENGTH = 50;
const ELLIPSIS = '…';

/** Cuts an excerpt around the first match, or from the start without one. Words and formulas stay whole. */
export function excerptAround(text: string, marks: Marks): TextPart[] {
  if (text.length <= EXCERPT_LENGTH) return highlighted(text, marks);
  const spans = [...spansIn(text, marks)];
  const formulas = formulaSpansOf(text);
  const formulaAround = (cut: number) => formulas.find((formula) => formula.start < cut && cut < formula.end);
  const match = spans.find(({ isMatch }) => isMatch)?.start ?? 0;
  const first =
    match <= LEAD_LENGTH ? 0 : (spans.find((span) => span.start >= match - LEAD_LENGTH)?.start ?? 0);
  const start = formulaAround(first)?.start ?? first;
  const last = endOf(text, start, spans);
  const end = formulaAround(last)?.end ?? last;
  return [
    ...(start > 0 ? [{ text: ELLIPSIS, isMatch: false }] : []),
    ...partsOf(text, { start, end, spans }),
    ...(end < text.length ? [{ text: ELLIPSIS, isMatch: false }] : []),
  ];
}

function endOf(text: string, from: number, spans: readonly { readonly end: number }[]): number {
  const limit = from + EXCERPT_LENGTH;
  if (limit >= text.length) return text.length;
  const fitting = spans.filter(({ end }) => end > from && end <= limit).at(-1);
  // A word longer than the excerpt is cut, but never inside a surrogate pair.
  return fitting?.end ?? limit - (/[\uD800-\uDBFF]/.test(text.charAt(limit - 1)) ? 1 : 0);
}
