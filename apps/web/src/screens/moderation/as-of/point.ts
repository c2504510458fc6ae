import { useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import type { AsOfInput, HistoryRangePartsFragment } from '../../../generated/graphql';

/** A point in the past: a time or an event number. */
export type Point =
  | { readonly by: 'moment'; readonly at: string }
  | { readonly by: 'ordinal'; readonly ordinal: number };

export const inputOf = (point: Point): AsOfInput =>
  point.by === 'moment' ? { at: point.at } : { ordinal: point.ordinal };

const latestOf = ({ lastAt }: HistoryRangePartsFragment): Point => ({ by: 'moment', at: lastAt });

/** The point in the URL; undefined if missing or invalid. */
export function pointOf(params: URLSearchParams): Point | undefined {
  const at = params.get('at');
  if (at !== null && !Number.isNaN(Date.parse(at))) return { by: 'moment', at: new Date(at).toISOString() };
  const ordinal = Number(params.get('ordinal'));
  return Number.isSafeInteger(ordinal) && ordinal >= 1 ? { by: 'ordinal', ordinal } : undefined;
}

export function withPoint(params: URLSearchParams, point: Point): URLSearchParams {
  const changed = new URLSearchParams(params);
  changed.delete('at');
  changed.delete('ordinal');
  changed.delete('page');
  if (point.by === 'moment') changed.set('at', point.at);
  else changed.set('ordinal', String(point.ordinal));
  return changed;
}

/** A point as a value of the slider, and back. */
export const valueOf = (point: Point): number =>
  point.by === 'moment' ? Date.parse(point.at) : point.ordinal;
export const pointAt = (by: Point['by'], value: number): Point =>
  by === 'moment' ? { by, at: new Date(value).toISOString() } : { by, ordinal: Math.round(value) };

interface Scale {
  readonly min: number;
  readonly max: number;
  readonly step: number;
}

const SECOND_MS = 1000;
const STEPS_BY_KEY = 500;

export function scaleOf(range: HistoryRangePartsFragment, by: Point['by']): Scale {
  if (by === 'ordinal') return { min: range.firstOrdinal, max: range.lastOrdinal, step: 1 };
  const [min, max] = [Date.parse(range.firstAt), Date.parse(range.lastAt)];
  return { min, max, step: Math.max(SECOND_MS, Math.ceil((max - min) / STEPS_BY_KEY)) };
}

export type Mark = HistoryRangePartsFragment['marks'][number];

/** Value of a mark on the scale. */
const positionOf = (mark: Pick<Mark, 'ordinal' | 'at'>, by: Point['by']): number =>
  by === 'moment' ? Date.parse(mark.at) : mark.ordinal;

interface Neighbour {
  readonly point: Point;
  /** All marks at that point. */
  readonly marks: readonly Mark[];
}

/** The nearest marks before or after a point. */
export function neighbourOf(
  marks: readonly Mark[],
  point: Point,
  direction: 'before' | 'after',
): Neighbour | undefined {
  const own = valueOf(point);
  const places = marks.map((mark) => positionOf(mark, point.by));
  const found =
    direction === 'before'
      ? Math.max(...places.filter((place) => place < own))
      : Math.min(...places.filter((place) => place > own));
  if (!Number.isFinite(found)) return undefined;
  return { point: pointAt(point.by, found), marks: marks.filter((_, index) => places[index] === found) };
}

const MAX_MARKS_SHOWN = 60;

interface PlacedMarks {
  readonly value: number;
  readonly marks: readonly Mark[];
}

/** Positions of marks on the slider. Marks too close to tell apart share one. */
export function placeMarks(marks: readonly Mark[], by: Point['by'], { min, max }: Scale): PlacedMarks[] {
  const minGap = (max - min) / MAX_MARKS_SHOWN;
  const placed: { value: number; marks: Mark[] }[] = [];
  const sorted = marks
    .map((mark) => ({ mark, value: positionOf(mark, by) }))
    .filter(({ value }) => value >= min && value <= max)
    .sort((left, right) => left.value - right.value);
  for (const { mark, value } of sorted) {
    const last = placed.at(-1);
    if (last && value - last.value < minGap) last.marks.push(mark);
    else placed.push({ value, marks: [mark] });
  }
  return placed;
}

/** Converts between time and event number, as closely as the marks allow. */
export function convertPoint(point: Point, by: Point['by'], range: HistoryRangePartsFragment): Point {
  if (point.by === by) return point;
  const known = [
    { ordinal: range.firstOrdinal, at: range.firstAt },
    ...range.marks,
    { ordinal: range.lastOrdinal, at: range.lastAt },
  ];
  const first = { ordinal: range.firstOrdinal, at: range.firstAt };
  const last = known.filter((mark) => positionOf(mark, point.by) <= valueOf(point)).at(-1) ?? first;
  return pointAt(by, positionOf(last, by));
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i;

/** The ID in a question's link, or a bare ID. */
export const questionIdIn = (text: string): string | undefined => ID.exec(text)?.[0].toLowerCase();

/** Date and time to the second: two things may happen within a minute. */
export function exactMoment(at: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'medium' }).format(new Date(at));
}

const pad = (part: number): string => String(part).padStart(2, '0');

/** Value of a `datetime-local` field, in the browser's time zone. */
export function localTime(at: string): string {
  const date = new Date(at);
  const day = `${date.getFullYear()}-${pad(date.getMonth() + 1)}-${pad(date.getDate())}`;
  return `${day}T${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}`;
}

interface Selection {
  readonly point: Point | undefined;
  readonly page: number;
}

const pageIn = (params: URLSearchParams): number => {
  const page = Number(params.get('page'));
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
};

/**
 * The selected point, initially the latest. The URL follows with a delay, so it is not the source of truth: a query
 * must not fall back to the previous point in between.
 */
export function usePoint(range: HistoryRangePartsFragment | undefined | null) {
  const [params, setParams] = useSearchParams();
  const [selection, setSelection] = useState<Selection>(() => ({
    point: pointOf(params),
    page: pageIn(params),
  }));
  return {
    point: selection.point ?? (range ? latestOf(range) : undefined),
    page: selection.page,
    setPoint: (point: Point) => {
      setSelection({ point, page: 1 });
      setParams((before) => withPoint(before, point), { replace: true });
    },
    setPage: (page: number) => {
      setSelection((before) => ({ ...before, page }));
      setParams(
        (before) => {
          before.set('page', String(page));
          return before;
        },
        { replace: true },
      );
    },
  };
}
