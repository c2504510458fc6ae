import type { Pool } from 'pg';
import { retentionOf, type Kept } from './retention.js';

/** Housekeeping: all of it is dead already. @returns how many rows went */
export async function sweepState(pool: Pool, kept: Kept): Promise<number> {
  let swept = 0;
  for (const [table, { over }] of Object.entries(retentionOf(kept))) {
    const { rowCount } = await pool.query(`delete from state.${table} where ${over}`);
    swept += rowCount ?? 0;
  }
  return swept;
}
