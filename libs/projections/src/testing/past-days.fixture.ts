import { randomUUID } from 'node:crypto';
import type { Past, PastEvent } from './past.fixture.js';

/** Events from one day to the next, about. */
const EVENTS_A_DAY = 18;

const dayAfter = (number: number): string =>
  new Date(Date.UTC(2026, 0, 1 + number)).toISOString().slice(0, 'YYYY-MM-DD'.length);

const dayBegan = (day: string, { metadata }: PastEvent): PastEvent => ({
  type: 'DayBegan',
  data: { day },
  id: randomUUID(),
  streamId: `day-${day}`,
  metadata: { ...metadata, actor: { kind: 'system' } },
});

/**
 * The same history with days that begin in the midst of it, some of them told again or after a later one, as processes do whose clocks
 * differ. Nothing else in it changes.
 */
export function withDays(past: Past, random: () => number): Past {
  let day = 0;
  const told = past.events.splice(0).flatMap((event, index) => {
    if (index < EVENTS_A_DAY || random() > 1 / EVENTS_A_DAY) return [event];
    const isLate = random() < 0.2;
    if (!isLate) day += 1;
    return [dayBegan(dayAfter(isLate ? Math.max(0, day - Math.floor(random() * 2)) : day), event), event];
  });
  past.events.push(...told);
  return past;
}
