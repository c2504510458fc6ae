import type { Pool } from 'pg';
import { formatPosition } from '../numeric-position.js';
import type { Position } from '../port.js';

/** Position of the event with that ordinal, by counting the events: a log that lost one has a gap in its positions. */
export async function positionOfOrdinal(pool: Pool, ordinal: number): Promise<Position | undefined> {
  const { rows } = await pool.query<{ position: string }>(
    'SELECT position FROM log.events ORDER BY position OFFSET $1 LIMIT 1',
    [ordinal - 1],
  );
  return rows[0] && formatPosition(rows[0].position);
}
