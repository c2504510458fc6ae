import type { Decider } from '../decider.js';
import type { DayBegan } from '../events.js';
import { dayStream } from '../stream-ids.js';

/** Of a moment in ISO 8601 in UTC. */
export const dayOf = (moment: string): string => moment.slice(0, 'YYYY-MM-DD'.length);

/** Whether the day has begun: its stream has one event or none. */
export type ScoringDayState = boolean;
export const scoringDayDecider: Decider<ScoringDayState, DayBegan, [day: string]> = {
  stream: dayStream,
  initial: false,
  evolve: (_, _event) => true,
};

/** Once, however many ask for it. */
export const beginDay = (now: string, hasBegun: ScoringDayState): readonly DayBegan[] =>
  hasBegun ? [] : [{ type: 'DayBegan', data: { day: dayOf(now) } }];
