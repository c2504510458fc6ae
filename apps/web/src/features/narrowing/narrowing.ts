import { useEffect, useRef } from 'react';
import { useSearchParams } from 'react-router-dom';

const DAY = /^\d{4}-\d\d-\d\d$/;
const MINUTE = /^\d{4}-\d\d-\d\dT\d\d:\d\dZ$/;
const ID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/i;
const MINUTE_MS = 60_000;
/** Years that are still being typed are none. */
const EARLIEST_YEAR = 1970;

/** The id in what somebody typed or pasted: an id, or an address that has one. */
export const idIn = (text: string): string | null => ID.exec(text)?.[0].toLowerCase() ?? null;

const minuteOf = (time: Date): string | null =>
  Number.isNaN(time.getTime()) || time.getUTCFullYear() < EARLIEST_YEAR
    ? null
    : `${time.toISOString().slice(0, 16)}Z`;

/** A minute out of a field of local time; null while it is not complete. */
export const minuteTyped = (text: string): string | null => (text === '' ? null : minuteOf(new Date(text)));

/** The minute as a field of local time takes it. */
export function typedMinute(minute: string | null): string {
  if (minute === null) return '';
  const time = new Date(minute);
  return new Date(time.getTime() - time.getTimezoneOffset() * MINUTE_MS).toISOString().slice(0, 16);
}

/**
 * The minute that an address names, in UTC so that it is the same for whoever gets the link. A day of the reader's calendar, as
 * addresses had before, is its first or its last minute.
 */
export function minuteIn(text: string | null, ofDay: 'first' | 'last'): string | null {
  if (text === null) return null;
  if (MINUTE.test(text)) return minuteOf(new Date(text));
  return DAY.test(text) ? minuteOf(new Date(`${text}T${ofDay === 'first' ? '00:00' : '23:59'}`)) : null;
}

/** From the first moment of a minute, until the one after the last: the minute that is named as the end counts. */
export const spanOf = (from: string | null, until: string | null) => ({
  from: from && new Date(from).toISOString(),
  until: until && new Date(Date.parse(until) + MINUTE_MS).toISOString(),
});

type Change = (params: URLSearchParams) => URLSearchParams;

/** The parameters of the address. A change builds on the one before it, also where that one is not on the screen yet. */
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
