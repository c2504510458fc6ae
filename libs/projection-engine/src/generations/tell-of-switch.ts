import type { EventStore } from '@nimo/event-store';
import type { Pool } from 'pg';
import { v5 as uuidv5 } from 'uuid';
import { type CommandMetadata, actsStream, type ProjectionSwitched } from './maintenance-commands.js';
import type { AskedFor } from '../bookkeeping/bookkeeping.js';
import type { Generation } from './generations.js';

const SWITCHED = 'd0e6a1c4-7d0b-5f0e-9a55-0f7c2f4f8b61';

/**
 * Puts the switches at the end of rebuilds into the log, on behalf of whoever asked. Whoever comes by does it, as who switched may have
 * died: the ids follow from the request, so done twice it is stored once.
 */
export async function tellOfSwitches(
  pool: Pool,
  store: EventStore,
  generations: readonly Generation[],
): Promise<void> {
  for (const generation of generations) {
    const { name, status, asked } = generation;
    if (asked === null || (status !== 'live' && status !== 'former')) continue;
    await store.append([
      {
        streamId: actsStream(name),
        expectedRevision: 'any',
        events: [{ id: uuidv5(asked.actId, SWITCHED), ...switchOf(generation, asked) }],
      },
    ]);
    await pool.query(
      `update read.projection_generations set asked = null
       where name = $1 and generation = $2 and asked ->> 'actId' = $3`,
      [name, generation.generation, asked.actId],
    );
  }
}

function switchOf(
  { name, generation, switchedAt }: Generation,
  { actId, correlationId, actor, fromGeneration = null }: AskedFor,
): ProjectionSwitched & { readonly metadata: CommandMetadata } {
  const now = new Date().toISOString();
  return {
    type: 'ProjectionSwitched',
    data: { projection: name, generation, fromGeneration, afterRebuild: true },
    metadata: {
      occurredAt: switchedAt ?? now,
      recordedAt: now,
      actor,
      commandId: uuidv5('switch', actId),
      correlationId,
      causationId: actId,
      schemaVersion: 1,
    },
  };
}
