import { BOOKKEEPING } from '../audit.js';
import { slice } from '../vocabulary.js';

// In the streams `day-<YYYY-MM-DD>`.

/** The first of a day, in UTC: before the day's first vote, or when votes of earlier days have yet to count for others. */
export type DayBegan = { readonly type: 'DayBegan'; readonly data: { readonly day: string } };
export type DayEvent = DayBegan;

export const dayEvents = slice<DayEvent>()({
  streams: ['day-'],
  events: {
    DayBegan: {
      example: { day: '2026-01-01' },
      audit: BOOKKEEPING,
    },
  },
});
