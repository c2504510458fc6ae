const units: ReadonlyArray<[Intl.RelativeTimeFormatUnit, number]> = [
  ['year', 365 * 24 * 3600],
  ['month', 30 * 24 * 3600],
  ['week', 7 * 24 * 3600],
  ['day', 24 * 3600],
  ['hour', 3600],
  ['minute', 60],
];

/** `3 hours ago`, localised; less than a minute is `now`. */
export function relativeTime(from: Date, now: Date, language: string): string {
  const seconds = (from.getTime() - now.getTime()) / 1000;
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  for (const [unit, length] of units) {
    if (Math.abs(seconds) >= length) return format.format(Math.trunc(seconds / length), unit);
  }
  return format.format(0, 'second');
}

/** Date and time to the minute, localised. */
export function exactTime(date: Date, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeStyle: 'short' }).format(date);
}

/** `12,345`. */
export function wholeNumber(value: number, language: string): string {
  return new Intl.NumberFormat(language).format(value);
}

/** The first grapheme, for initials. */
export function firstCharacter(text: string): string {
  const [first = ''] = graphemesOf(text.trim());
  return first;
}

/** `+1,234` or `−5`, with a minus as wide as the plus. */
export function signedNumber(value: number, language: string): string {
  return new Intl.NumberFormat(language, { signDisplay: 'exceptZero' }).format(value).replace('-', '−');
}

/** `21 November 2026` for a YYYY-MM-DD calendar day, the same in every time zone. */
export function longDay(day: string, language: string): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: 'UTC' }).format(new Date(day));
}

/** `today`, `yesterday` or the date, in the reader's time zone. */
export function dayName(at: Date, now: Date, language: string): string {
  const midnight = (date: Date) => Date.UTC(date.getFullYear(), date.getMonth(), date.getDate());
  const days = Math.round((midnight(at) - midnight(now)) / (24 * 3600 * 1000));
  if (days === 0 || days === -1)
    return new Intl.RelativeTimeFormat(language, { numeric: 'auto' }).format(days, 'day');
  return new Intl.DateTimeFormat(language, { dateStyle: 'long' }).format(at);
}

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Graphemes: a family emoji is one, and so is a letter with its vowel signs. */
export const graphemesOf = (text: string): string[] =>
  Array.from(segmenter.segment(text), ({ segment }) => segment);

const hex = /^(?:[0-9a-f]{3}|[0-9a-f]{6})$/i;
const neutral = '#64748b';

/** A stored colour (hex without #) as CSS; neutral for anything else, so that no foreign text reaches a style. */
export function cssHex(colour: string | null | undefined): string {
  return hex.test(colour ?? '') ? `#${colour}` : neutral;
}
