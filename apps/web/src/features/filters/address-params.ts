import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';

const DAY = /^\d{4}-\d\d-\d\d$/;
const MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/;
const ID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/i;
const MINUTE_MS = 60_000;
/** Earlier years are still being typed. */
const EARLIEST_YEAR = 1970;

/** The ID in a typed or pasted text, which may be a URL. */
export const idIn = (text: string): string | null => ID.exec(text)?.[0].toLowerCase() ?? null;

const minuteOf = (time: Date): string | null =>
  Number.isNaN(time.getTime()) || time.getUTCFullYear() < EARLIEST_YEAR
    ? null
    : `${time.toISOString().slice(0, 16)}Z`;

/** Parses the value of a `datetime-local` input; null if incomplete. */
export const parseLocalMinute = (text: string): string | null =>
  text === '' ? null : minuteOf(new Date(text));

/** Formats a minute for a `datetime-local` input. */
export function localMinuteValue(minute: string | null): string {
  if (minute === null) return '';
  const time = new Date(minute);
  return new Date(time.getTime() - time.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}

/** Parses a minute from a URL, in UTC so that links can be shared. A date, as in old URLs, is its first or last local minute. */
export function minuteIn(text: string | null, ofDay: 'first' | 'last'): string | null {
  if (text === null) return null;
  if (MINUTE.test(text)) return minuteOf(new Date(text));
  return DAY.test(text) ? minuteOf(new Date(`${text}T${ofDay === 'first' ? '00:00' : '23:59'}`)) : null;
}

/** Half-open range of timestamps that includes the last minute. */
export const spanOf = (from: string | null, until: string | null) => ({
  from: from && new Date(from).toISOString(),
  until: until && new Date(Date.parse(until) + MINUTE_MS).toISOString(),
});

type Change = (params: URLSearchParams) => URLSearchParams;

/** The URL's search parameters. Each change builds on the previous one, even before it is rendered. */
export function useAddressParams(): [URLSearchParams, (change: Change) => void] {
  const [params, setParams] = useSearchParams();
  const latest = useRef(params);
  useEffect(() => {
    latest.current = params;
  }, [params]);
  const change = (next: Change) => {
    latest.current = next(latest.current);
    setParams(latest.current);
  };
  return [params, change];
}
