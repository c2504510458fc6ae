import type { Table } from '../projection.js';

/** The day that the log has reached: one row, none before the first. */
export type ScoringDayRow = {
  readonly id: string;
  /** YYYY-MM-DD in UTC. */
  readonly day: string;
  /** Of the event that began it. */
  readonly ordinal: number;
};

const LATEST = 'latest';

/** A day that is told after a later one (by a process whose clock is behind) begins nothing. */
export const scoringDay: Table<ScoringDayRow> = {
  name: 'scoring_day',
  columns: { id: { type: 'text' }, day: { type: 'text' }, ordinal: { type: 'bigint' } },
  key: ['id'],
  keysOf: (event) => (event.type === 'DayBegan' ? [[LATEST]] : []),
  fold(row, event) {
    if (event.type !== 'DayBegan' || (row && row.day >= event.data.day)) return row;
    return { id: LATEST, day: event.data.day, ordinal: event.ordinal };
  },
};
