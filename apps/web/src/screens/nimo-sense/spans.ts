const dayMs = 86_400_000;

/** Days as YYYY-MM-DD, in UTC as the api counts them. */
export interface Span {
  from: string;
  to: string;
}

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);
const momentOf = (day: string): number => Date.parse(`${day}T00:00:00.000Z`);

/** So many days up to and with today. */
export function latest(days: number, now: Date): Span {
  return { from: dayOf(now.getTime() - (days - 1) * dayMs), to: dayOf(now.getTime()) };
}

const mostDays = 31;
const mostWeeks = 27;

/**
 * A span cut into days, weeks or months, whichever makes at most some thirty of them. The first and the last may be shorter than
 * the others.
 */
export function pieces({ from, to }: Span): Span[] {
  const days = Math.round((momentOf(to) - momentOf(from)) / dayMs) + 1;
  if (days <= mostDays) return cut({ from, to }, (day) => day);
  return cut({ from, to }, days <= mostWeeks * 7 ? endOfWeek : endOfMonth);
}

function cut({ from, to }: Span, endOf: (day: string) => string): Span[] {
  const found: Span[] = [];
  for (let day = from; day <= to; day = dayOf(momentOf(found.at(-1)?.to ?? day) + dayMs)) {
    const end = endOf(day);
    found.push({ from: day, to: end < to ? end : to });
  }
  return found;
}

/** Weeks begin on Monday. */
function endOfWeek(day: string): string {
  const weekday = (new Date(momentOf(day)).getUTCDay() + 6) % 7;
  return dayOf(momentOf(day) + (6 - weekday) * dayMs);
}

function endOfMonth(day: string): string {
  const date = new Date(momentOf(day));
  return dayOf(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0));
}
