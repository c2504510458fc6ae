import { projections } from '@nimo/projections';
import { listGenerations } from '@nimo/projection-engine';
import type { Pool } from 'pg';
import { eventually } from '@nimo/testing';

const names = projections.map(({ name }) => name);

/**
 * Waits until every projection has reached the log head.
 * @param output of the workers, for the failure message
 */
export async function waitForProjections(pool: Pool, output: () => string): Promise<void> {
  let seen: unknown;
  await eventually(
    async () => {
      const { rows } = await pool.query<{ head: number }>(
        'select max(position)::int as head from log.events',
      );
      const head = rows[0]?.head;
      const live = (await listGenerations(pool, names)).filter(({ status }) => status === 'live');
      seen = { head, live: live.map(({ name, position, error }) => [name, position, error]) };
      return live.length === names.length && live.every(({ position }) => Number(position) === head);
    },
    Boolean,
    () => ['catching up', { seen, output: output() }],
  );
}
