import { isPositionOf, type Position } from '@nimo/event-store';
import type { Pool } from 'pg';
import { SettingsError } from '../config/settings-error.js';
import type { Settings } from '../config/load-settings.js';

/**
 * The places of chain and reactors are positions of one engine. Setting EVENTSTORE_URL alone would make a log of nothing and leave what
 * follows it lost, so a start says what is missing.
 */
export async function assertSameLog(
  pool: Pool,
  { eventStoreUrl }: Pick<Settings, 'eventStoreUrl'>,
): Promise<void> {
  const { rows } = await pool.query<{ position: Position }>(
    `SELECT position FROM state.log_chain_place WHERE position IS NOT NULL
     UNION ALL SELECT position FROM state.reactors WHERE position IS NOT NULL`,
  );
  if (rows.every(({ position }) => isPositionOf({ eventStoreUrl }, position))) return;
  throw new SettingsError(
    eventStoreUrl === undefined
      ? 'This installation goes on with a log in EventStoreDB: set EVENTSTORE_URL, or bring the log back with: nimo log copy --from <that address> --to here --switch'
      : 'This installation goes on with the log in its PostgreSQL: unset EVENTSTORE_URL, or move the log with: nimo log copy --from here --to <that address> --switch',
  );
}
