import type { Pool } from 'pg';
import type { Misfit } from './misfit.js';

export interface KnownMisfit {
  readonly kind: string;
  readonly ordinal: number;
  readonly detail: string;
  readonly foundAt: Date;
}

const MAX_KEPT = 100;

/** @returns whether it was not known before */
export async function keepMisfit(pool: Pool, { kind, ordinal, detail }: Misfit): Promise<boolean> {
  const { rowCount } = await pool.query(
    `INSERT INTO state.log_misfits (detail, kind, ordinal)
     SELECT $1, $2, $3 WHERE (SELECT count(*) FROM state.log_misfits) < ${MAX_KEPT} ON CONFLICT DO NOTHING`,
    [detail, kind, ordinal],
  );
  return rowCount === 1;
}

/** The first that was found first. */
export async function knownMisfits(pool: Pool): Promise<KnownMisfit[]> {
  const { rows } = await pool.query<{ kind: string; ordinal: string; detail: string; found_at: Date }>(
    'SELECT kind, ordinal, detail, found_at FROM state.log_misfits ORDER BY found_at, detail',
  );
  return rows.map(({ found_at, ordinal, ...row }) => ({
    ...row,
    ordinal: Number(ordinal),
    foundAt: found_at,
  }));
}

/** Where all was found to fit, by a verification that began then. */
export async function clearMisfits(pool: Pool, before: Date): Promise<number> {
  const { rowCount } = await pool.query('DELETE FROM state.log_misfits WHERE found_at < $1', [before]);
  return rowCount ?? 0;
}
