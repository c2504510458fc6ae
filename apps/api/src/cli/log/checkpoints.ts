import { LogDiffersError, type Position } from '@nimo/event-store';
import type pg from 'pg';
import { type LogEngine, writeLogEngine } from '../../platform/runtime/installation.js';
import { UsageError } from '../failure.js';

/** Distinguishes the connections of a copy from those of a running Nimo. */
export const COPY_CONNECTION = 'nimo log copy';
/** A copy migrates its databases first. */
const MIGRATIONS_CONNECTION = 'nimo migrations';

/** Checkpoints of all subscribers, as positions of one log engine. Ordinals are the same in every engine and need no translation. */
const POSITIONS = `
  select position from read.projection_generations
  union select error->>'position' from read.projection_generations
  union select verification->'compared'->>'position' from read.projection_generations
  union select position from state.reactors
  union select position from state.log_chain_position`;

const TRANSLATED = 'unnest($1::text[], $2::text[]) AS moved(old_position, new_position)';
const UPDATES = [
  `update read.projection_generations set position = new_position from ${TRANSLATED} where position = old_position`,
  `update read.projection_generations set error = jsonb_set(error, '{position}', to_jsonb(new_position))
   from ${TRANSLATED} where error->>'position' = old_position`,
  `update read.projection_generations set verification = jsonb_set(verification, '{compared,position}', to_jsonb(new_position))
   from ${TRANSLATED} where verification->'compared'->>'position' = old_position`,
  `update state.reactors set position = new_position from ${TRANSLATED} where position = old_position`,
  `update state.log_chain_position set position = new_position from ${TRANSLATED} where position = old_position`,
] as const;

export async function readPositions(client: pg.ClientBase): Promise<ReadonlySet<Position>> {
  const { rows } = await client.query<{ position: Position | null }>(POSITIONS);
  return new Set(rows.flatMap(({ position }) => position ?? []));
}

/** @throws UsageError while a Nimo process is connected, as it would keep writing to the old log */
export async function assertStopped(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity
     where datname = current_database() and application_name like 'nimo %' and application_name <> all($1::text[]) order by 1`,
    [[COPY_CONNECTION, MIGRATIONS_CONNECTION]],
  );
  if (rows.length === 0) return;
  throw new UsageError(
    `Nimo is still running (${rows.map(({ name }) => name).join(', ')}). Stop it before you use --switch.`,
  );
}

/** Switches to the other log in one transaction, translating every checkpoint to its positions. @returns number of checkpoints */
export async function translatePositions(
  client: pg.ClientBase,
  translated: ReadonlyMap<Position, Position>,
  engine: LogEngine,
): Promise<number> {
  await client.query('begin');
  try {
    await assertStopped(client);
    const positions = [...(await readPositions(client))];
    const unknown = positions.find((position) => !translated.has(position));
    if (unknown !== undefined)
      throw new LogDiffersError(
        `This installation is at position ${unknown}, which is in neither log. These are not its logs. Nothing was switched.`,
      );
    const counterparts = positions.map((position) => translated.get(position));
    for (const update of UPDATES) await client.query(update, [positions, counterparts]);
    // The mark is signed together with its position, so verification starts over.
    await client.query('update state.log_verification set mark = null');
    // Key rotation scans the log from the start again, which is idempotent.
    await client.query('update state.key_fingerprint set scan_position = null');
    await writeLogEngine(client, engine);
    await client.query('commit');
    return positions.length;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
