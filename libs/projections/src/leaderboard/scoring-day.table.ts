import type { Columns, RowOf, Table } from '../projection.js';

const COLUMNS = {
  id: { type: 'text' },
  /** YYYY-MM-DD in UTC. */
  day: { type: 'text' },
  /** Of the event that began it. */
  ordinal: { type: 'bigint' },
} as const satisfies Columns;

/** The day that the log has reached: one row, none before the first. */
export type ScoringDayRow = RowOf<typeof COLUMNS>;

const LATEST = 'latest';

/** A day that is told after a later one (by a process whose clock is behind) begins nothing. */
export const scoringDay: Table<ScoringDayRow> = {
  name: 'scoring_day',
  columns: COLUMNS,
  key: ['id'],
  on: {
    DayBegan: {
      keys: () => [[LATEST]],
      fold: (row, { data: { day }, ordinal }) => (row && row.day >= day ? row : { id: LATEST, day, ordinal }),
    },
  },
};
