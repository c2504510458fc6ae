import type { Pool } from 'pg';
import { setTimeout as delay } from 'node:timers/promises';
import type { Projection } from '../projection.js';
import { dropGeneration, type Generation, listGenerations, replaceViews, setStatus } from './generations.js';
import type { Lease } from './leases.js';
import type { Querying } from './table-statements.js';
import { inTransaction } from './transaction.js';

const LOCK_NOT_AVAILABLE = '55P03';
const DEADLOCK = '40P01';

/**
 * Puts a generation that has caught up in the live one's place, views and status in one transaction.
 * @returns false where the live one is ahead: catch up further and try again
 */
export async function switchGeneration(
  pool: Pool,
  projection: Projection,
  { generation }: Lease,
): Promise<boolean> {
  for (;;) {
    try {
      return await inTransaction(
        pool,
        async (client) => {
          await client.query(
            'select 1 from read.projection_generations where name = $1 order by generation for update',
            [projection.name],
          );
          const generations = await listGenerations(client, [projection.name]);
          const live = generations.find(({ status }) => status === 'live');
          const next = generations.find((candidate) => candidate.generation === generation);
          if (next?.status !== 'building')
            throw new Error(`${projection.name}:${generation} is not being built any more`);
          if (live && (live.position ?? '') > (next.position ?? '')) return false;
          if (live) await retire(client, live);
          await setStatus(client, projection.name, generation, 'live');
          await replaceViews(client, projection, live?.generation, generation);
          for (const { status, generation: old } of generations) {
            if (status === 'former') await dropGeneration(client, projection.name, old);
          }
          return true;
        },
        // Who waits for a view's lock makes all later readers wait: better to let go soon and come back.
        `begin; set local lock_timeout = '50ms'`,
      );
    } catch (error) {
      const code = error instanceof Error && 'code' in error ? error.code : undefined;
      if (code !== LOCK_NOT_AVAILABLE && code !== DEADLOCK) throw error;
      await delay(20 + Math.random() * 80);
    }
  }
}

/** Its leader is out of office at once, so that a way back starts from the stored checkpoint. */
async function retire(client: Querying, { name, generation }: Generation): Promise<void> {
  await client.query(
    `update read.projection_generations set status = 'former', owner = null, epoch = epoch + 1, expires_at = null
     where name = $1 and generation = $2`,
    [name, generation],
  );
}
