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
  select position from read.projection_generations
  union select error->>'position' from read.projection_generations
  union select verification->'compared'->>'position' from read.projection_generations
  union select position from state.reactors
  union select position from state.log_chain_place`;

const MOVED = 'unnest($1::text[], $2::text[]) AS moved(old_position, new_position)';
const MOVES = [
  `update read.projection_generations set position = new_position from ${MOVED} where position = old_position`,
  `update read.projection_generations set error = jsonb_set(error, '{position}', to_jsonb(new_position))
   from ${MOVED} where error->>'position' = old_position`,
  `update read.projection_generations set verification = jsonb_set(verification, '{compared,position}', to_jsonb(new_position))
   from ${MOVED} where verification->'compared'->>'position' = old_position`,
  `update state.reactors set position = new_position from ${MOVED} where position = old_position`,
  `update state.log_chain_place set position = new_position from ${MOVED} where position = old_position`,
] as const;

export async function placesIn(client: pg.ClientBase): Promise<ReadonlySet<Position>> {
  const { rows } = await client.query<{ position: Position | null }>(PLACES);
  return new Set(rows.flatMap(({ position }) => position ?? []));
}

/** @throws UsageError while any process of Nimo is connected: it would go on writing to the former log */
export async function assertStopped(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `select distinct application_name as name from pg_stat_activity
     where datname = current_database() and application_name like 'nimo %' and application_name <> all($1::text[]) order by 1`,
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
  await client.query('begin');
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
    await client.query('update state.log_verification set mark = null');
    // Looking through the log again finds what was claimed anew before.
    await client.query('update state.key_use set place = null');
    await moveHome(client, engine);
    await client.query('commit');
    return places.length;
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
