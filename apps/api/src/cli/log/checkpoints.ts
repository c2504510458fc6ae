import { LogDiffersError, type Position } from '@nimo/event-store';
import type pg from 'pg';
import { type LogEngine, moveHome } from '../../platform/runtime/installation.js';
import { UsageError } from '../failure.js';

/** By which the copy's own connections are told from those of a running Nimo. */
export const COPY_CONNECTION = 'nimo log copy';
/** The copy brings databases to this version before it looks. */
const MIGRATIONS_CONNECTION = 'nimo migrations';

/**
 * How far everything is that follows the log, in positions of the engine that holds it. Ordinals, which everything else counts by, are the
 * same in every engine and stay.
 */
const PLACES = `
  SELECT position FROM read.projection_generations
  UNION SELECT error->>'position' FROM read.projection_generations
  UNION SELECT verification->'compared'->>'position' FROM read.projection_generations
  UNION SELECT position FROM state.reactors
  UNION SELECT position FROM state.log_chain_place`;

const MOVED = 'unnest($1::text[], $2::text[]) AS moved(old_position, new_position)';
const MOVES = [
  `UPDATE read.projection_generations SET position = new_position FROM ${MOVED} WHERE position = old_position`,
  `UPDATE read.projection_generations SET error = jsonb_set(error, '{position}', to_jsonb(new_position))
   FROM ${MOVED} WHERE error->>'position' = old_position`,
  `UPDATE read.projection_generations SET verification = jsonb_set(verification, '{compared,position}', to_jsonb(new_position))
   FROM ${MOVED} WHERE verification->'compared'->>'position' = old_position`,
  `UPDATE state.reactors SET position = new_position FROM ${MOVED} WHERE position = old_position`,
  `UPDATE state.log_chain_place SET position = new_position FROM ${MOVED} WHERE position = old_position`,
] as const;

export async function placesIn(client: pg.ClientBase): Promise<ReadonlySet<Position>> {
  const { rows } = await client.query<{ position: Position | null }>(PLACES);
  return new Set(rows.flatMap(({ position }) => position ?? []));
}

/** @throws UsageError while any process of Nimo is connected: it would go on writing to the former log */
export async function assertStopped(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT DISTINCT application_name AS name FROM pg_stat_activity
     WHERE datname = current_database() AND application_name LIKE 'nimo %' AND application_name <> ALL($1::text[]) ORDER BY 1`,
    [[COPY_CONNECTION, MIGRATIONS_CONNECTION]],
  );
  if (rows.length === 0) return;
  throw new UsageError(
    `--switch is for a Nimo that is stopped, and this one runs (${rows.map(({ name }) => name).join(', ')}).`,
  );
}

/** Puts every place into the positions of the other log, which is home from then on: all or none. Answers how many there are. */
export async function movePlaces(
  client: pg.ClientBase,
  translated: ReadonlyMap<Position, Position>,
  engine: LogEngine,
): Promise<number> {
  await client.query('BEGIN');
  try {
    await assertStopped(client);
    const places = [...(await placesIn(client))];
    const unknown = places.find((place) => !translated.has(place));
    if (unknown !== undefined)
      throw new LogDiffersError(
        `This installation is at ${unknown}, which is no position of either log: they are not its own. Nothing was switched.`,
      );
    const counterparts = places.map((place) => translated.get(place));
    for (const move of MOVES) await client.query(move, [places, counterparts]);
    // It is signed with its places in it: the verification begins anew.
    await client.query('UPDATE state.log_verification SET mark = NULL');
    // Looking through the log again finds what was claimed anew before.
    await client.query('UPDATE state.key_use SET place = NULL');
    await moveHome(client, engine);
    await client.query('COMMIT');
    return places.length;
  } catch (error) {
    await client.query('ROLLBACK');
    throw error;
  }
}
