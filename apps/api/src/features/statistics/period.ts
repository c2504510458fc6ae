import { ApiError } from '../../platform/errors/api-error.js';

const DAY = 86_400_000;
const MAX_DAYS = 366;
const DEFAULT_DAYS = 30;

/** First and last day, YYYY-MM-DD in UTC. */
export interface Period {
  readonly from: string;
  readonly to: string;
}

const dayOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10);

function momentOf(field: string, day: string): number {
  const moment = /^\d{4}-\d{2}-\d{2}$/.test(day) ? Date.parse(`${day}T00:00:00.000Z`) : Number.NaN;
  // A day that a month does not have would be read as one of the next month.
  if (Number.isNaN(moment) || dayOf(moment) !== day) {
    throw new ApiError('VALIDATION_FAILED', `${field} must be a day as YYYY-MM-DD.`, {
      field,
      rule: 'DAY_MALFORMED',
    });
  }
  return moment;
}

/** The period that was asked for; the thirty days up to now where nothing was. */
export function periodOf(
  asked: { readonly from?: string | null | undefined; readonly to?: string | null | undefined },
  now: Date,
): Period {
  const to = momentOf('to', asked.to ?? dayOf(now.getTime()));
  const from = asked.from ? momentOf('from', asked.from) : to - (DEFAULT_DAYS - 1) * DAY;
  const days = (to - from) / DAY + 1;
  if (days < 1 || days > MAX_DAYS) {
    throw new ApiError('VALIDATION_FAILED', `A period has 1 to ${MAX_DAYS} days.`, {
      field: 'from',
      rule: 'PERIOD_OUT_OF_RANGE',
    });
  }
  return { from: dayOf(from), to: dayOf(to) };
}
