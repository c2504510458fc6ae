import type { Position } from '@nimo/event-store';
import type { Pool } from 'pg';
import { dropGeneration, listGenerations, withProjectionLock } from './generations.js';

/** Generations that were replaced, which no event reaches any more: what was taken out of the live ones is still in them. @returns how many there were */
export async function dropFormerGenerations(pool: Pool, names: readonly string[]): Promise<number> {
  const former = (await listGenerations(pool, [...names])).filter(({ status }) => status === 'former');
  for (const { name } of former)
    await withProjectionLock(pool, name, async (client) => {
      // It may have been taken up again meanwhile: then it is on its way to the end of the log.
      for (const { status, generation } of await listGenerations(client, [name]))
        if (status === 'former') await dropGeneration(client, name, generation);
    });
  return former.length;
}

/** Those that have not come to a place of the log, by name, whatever they are for. */
export async function stragglersBefore(
  pool: Pool,
  names: readonly string[],
  position: Position,
): Promise<readonly string[]> {
  const generations = await listGenerations(pool, [...names]);
  return generations
    .filter((of) => of.status !== 'former' && (of.position ?? '') < position)
    .map(({ name, generation, status }) => `${name} ${generation} (${status})`);
}
