import { KINDS_OF_CASTS } from '@nimo/domain';
import type { Columns, RowOf, Table } from '../projection.js';
import type { Queryable } from '../queryable.js';
import { isoTime } from '../queryable.js';
import { type AsOf, boundOf } from './as-of.js';

const COLUMNS = {
  ordinal: { type: 'bigint' },
  occurred_at: { type: 'timestamptz' },
  day: { type: 'text' },
} as const satisfies Columns;

/** Where in the log a day began, and when. */
export type HistoryDayRow = RowOf<typeof COLUMNS>;

export const historyDays: Table<HistoryDayRow> = {
  name: 'history_days',
  columns: COLUMNS,
  key: ['ordinal'],
  on: {
    DayBegan: {
      keys: ({ ordinal }) => [[ordinal]],
      fold: (_, { data, metadata, ordinal }) => ({
        ordinal,
        occurred_at: metadata.occurredAt,
        day: data.day,
      }),
    },
  },
};

/** In SQL, of a fact `f`: what casting a vote did counts for others from the next day on. */
export const IS_CAST = `f.kind in (${KINDS_OF_CASTS.map((kind) => `'${kind}'`).join(', ')})`;

/**
 * As of which point casts counted for others at a point: when the latest day began of those that count. A day that was told again, or
 * after a later one, began nothing. Before the first day all counted at once.
 */
export async function dawnOf(db: Queryable, asOf: AsOf): Promise<AsOf> {
  const counts = asOf.by === 'ordinal' ? 'ordinal <= $1::bigint' : 'occurred_at <= $1::timestamptz';
  const { rows } = await db.query<{ ordinal: string; at: string }>({
    // What happened in the very millisecond in which a day began is the day's: a vote begins its day just before it is cast.
    text: `select ordinal, ${isoTime(`(occurred_at - interval '1 ms')`)} as at from read.history_days
           where ${counts} order by day desc, ordinal limit 1`,
    values: [boundOf(asOf)],
  });
  const [row] = rows;
  if (!row) return asOf;
  return asOf.by === 'ordinal'
    ? { by: 'ordinal', ordinal: Number(row.ordinal) }
    : { by: 'moment', at: row.at };
}
