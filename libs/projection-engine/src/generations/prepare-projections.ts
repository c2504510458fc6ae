import { randomUUID } from 'node:crypto';
import type { EventStore } from '@nimo/event-store';
import type { Pool, PoolClient } from 'pg';
import { type SwitchRequest, READ_DDL } from '../bookkeeping/bookkeeping.js';
import {
  NO_COMMANDS,
  readMaintenanceCommands,
  type RecordedCommands,
} from '../bookkeeping/maintenance-commands.js';
import type { Projection } from '../projection.js';
import {
  createEmptyViewSql,
  assignToSchemaOwnerSql,
  shapeHash,
  tableShapes,
} from '../storage/table-shape.js';
import {
  createGeneration,
  ensureBuilding,
  listGenerations,
  replaceViews,
  skippedOf,
  withProjectionLock,
} from './generations.js';

/**
 * Ensures that every projection has views to read and a generation that this code can fill. Call it before the first read; any number of
 * processes may call it concurrently.
 */
export async function prepareProjections(
  pool: Pool,
  store: EventStore,
  projections: readonly Projection[],
): Promise<void> {
  await restoreBookkeeping(pool, projections);
  const known = await listGenerations(
    pool,
    projections.map(({ name }) => name),
  );
  for (const projection of projections) {
    const isServed = known.some(({ name, status }) => name === projection.name && status === 'live');
    // Read before the lock: a transaction must not wait for another connection of its pool.
    const commands = isServed ? NO_COMMANDS : await readMaintenanceCommands(store, projection.name);
    await withProjectionLock(pool, projection.name, (client) => prepare(client, projection, commands));
  }
}

/** Whether every projection has views to read, for processes that may not create them. */
export async function areProjectionsPrepared(
  pool: Pool,
  projections: readonly Projection[],
): Promise<boolean> {
  if (await isBookkeepingMissing(pool)) return false;
  const names = projections.map(({ name }) => name);
  const served = await listGenerations(pool, names);
  return names.every((name) => served.some((one) => one.name === name && one.status === 'live'));
}

/** The schema `read` may be dropped at any time. */
async function isBookkeepingMissing(pool: Pool): Promise<boolean> {
  const { rows } = await pool.query<{ lost: boolean }>(
    `select to_regclass('read.projection_generations') is null as lost`,
  );
  return rows[0]?.lost === true;
}

async function restoreBookkeeping(pool: Pool, projections: readonly Projection[]): Promise<void> {
  if (!(await isBookkeepingMissing(pool))) return;
  const caches = projections.flatMap(({ caches: ddl }) => ddl ?? []);
  await withProjectionLock(pool, 'bookkeeping', (client) => client.query([READ_DDL, ...caches].join(';')));
}

async function prepare(
  client: PoolClient,
  projection: Projection,
  commands: RecordedCommands,
): Promise<void> {
  const generations = await listGenerations(client, [projection.name]);
  const live = generations.find(({ status }) => status === 'live');
  if (!live) {
    // The first generation is live while it fills.
    const skipped = skippedOf(commands, projection);
    const generation = await createGeneration(client, projection, 'live', { skipped });
    await replaceViews(client, projection, undefined, generation);
    await markApplied(client, projection.name, commands);
    return;
  }
  // Older code leaves newer generations alone: in a rolling update two versions must not rebuild against each other.
  if (live.shapeHash === shapeHash(projection) || live.version > projection.version) return;
  await ensureBuilding(client, projection, { asked: newCodeRequest() });
  await createMissingViews(client, projection);
}

/** A table that is new in this code reads as empty until the switch to a generation that has it. */
async function createMissingViews(client: PoolClient, projection: Projection): Promise<void> {
  const shapes = tableShapes(projection);
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) as name where to_regclass('read.' || name) is null`,
    [shapes.map(({ name }) => name)],
  );
  const missing = new Set(rows.map(({ name }) => name));
  for (const shape of shapes.filter(({ name }) => missing.has(name))) {
    await client.query(createEmptyViewSql(shape));
    await client.query(assignToSchemaOwnerSql('view', `read.${shape.name}`));
  }
}

/** Marks commands as applied, because they were for generations that are lost or belonged to another installation. */
async function markApplied(client: PoolClient, name: string, { revision }: RecordedCommands): Promise<void> {
  await client.query(
    `insert into read.projection_maintenance (name, revision) values ($1, $2)
     on conflict (name) do update set revision = excluded.revision`,
    [name, revision],
  );
}

/**
 * For a log restored under an empty read side: its maintenance commands were applied in the original installation and are not repeated
 * here, except that skipped events stay skipped.
 */
export async function adoptLog(
  pool: Pool,
  store: EventStore,
  projections: readonly Projection[],
): Promise<void> {
  for (const projection of projections) {
    const commands = await readMaintenanceCommands(store, projection.name);
    await withProjectionLock(pool, projection.name, async (client) => {
      await client.query(
        `update read.projection_generations set skipped = $2 where name = $1 and status = 'live' and position is null`,
        [projection.name, JSON.stringify(skippedOf(commands, projection))],
      );
      await markApplied(client, projection.name, commands);
    });
  }
}

function newCodeRequest(): SwitchRequest {
  const actId = randomUUID();
  return { actId, correlationId: actId, actor: { kind: 'system' } };
}
