import type { Pool } from 'pg';
import { SettingsError } from '../config/settings-error.js';

/** Of which back-up a restore was begun that is not at its end. */
export async function unfinishedRestore(pool: Pool): Promise<Date | undefined> {
  const { rows } = await pool.query<{ at: Date }>('select made_at as at from state.unfinished_restore');
  return rows[0]?.at;
}

export async function restoreIsDone(pool: Pool): Promise<void> {
  await pool.query('delete from state.unfinished_restore');
}

/**
 * Until the erasures are done again, names would be shown of people who are not to be known any more.
 * @throws {SettingsError} while a restore is not at its end
 */
export async function assertRestoreIsDone({ pool }: { readonly pool: Pool }): Promise<void> {
  const madeAt = await unfinishedRestore(pool);
  if (madeAt === undefined) return;
  throw new SettingsError(
    `A restore of the back-up of ${madeAt.toISOString()} was begun here and did not end. Run "nimo restore" with the same back-up: it goes on from there.`,
  );
}
