import type { EventStore } from '@nimo/event-store';
import type { Pool, PoolClient } from 'pg';
import type { Projection } from '../projection.js';
import type { SwitchRequest, VerificationResult } from '../bookkeeping/bookkeeping.js';
import {
  createGeneration,
  dropGeneration,
  ensureBuilding,
  findGeneration,
  type Generation,
  listGenerations,
  skippedOf,
  withProjectionLock,
} from '../generations/generations.js';
import {
  readMaintenanceCommands,
  type RecordedCommand,
  type RecordedCommands,
  type CommandMetadata,
  maintenanceStream,
  type ProjectionSwitched,
} from '../bookkeeping/maintenance-commands.js';
import { shapeHash } from '../storage/table-shape.js';
import type { Queryable } from '../storage/table-statements.js';
import { v5 as uuidv5 } from 'uuid';

/**
 * Applies the maintenance commands in the log to the bookkeeping, each once and in order. Any process may call it at any time: a command
 * is appended before it takes effect, and after a crash in between the next call applies it.
 */
export async function applyMaintenanceCommands(
  pool: Pool,
  store: EventStore,
  projection: Projection,
): Promise<void> {
  await reportSwitches(pool, store, await listGenerations(pool, [projection.name]));
  const recorded = await readMaintenanceCommands(store, projection.name);
  await withProjectionLock(pool, projection.name, async (client) => {
    await client.query(
      'insert into read.projection_maintenance (name, revision) values ($1, -1) on conflict do nothing',
      [projection.name],
    );
    const applied = await appliedRevision(client, projection.name);
    const generations = await listGenerations(client, [projection.name]);
    const live = generations.find(({ status }) => status === 'live');
    // During a rolling update the newer code applies them.
    if (live !== undefined && live.version > projection.version) return;
    const open = recorded.commands.filter(({ revision }) => revision > applied);
    for (const command of open) await apply(client, projection, command, recorded);
    if (open.length === 0) return;
    await client.query('update read.projection_maintenance set revision = $2 where name = $1', [
      projection.name,
      recorded.revision,
    ]);
  });
}

/** Stream revision up to which commands are applied; -1 for none. */
export async function appliedRevision(client: Queryable, name: string): Promise<number> {
  const { rows } = await client.query<{ revision: string }>(
    'select revision from read.projection_maintenance where name = $1',
    [name],
  );
  return Number(rows[0]?.revision ?? -1);
}

async function apply(
  client: PoolClient,
  projection: Projection,
  command: RecordedCommand,
  recorded: RecordedCommands,
): Promise<void> {
  const { name } = projection;
  switch (command.type) {
    case 'ProjectionRebuildStarted':
      await ensureBuilding(client, projection, {
        from: 'nothing',
        hold: command.data.hold,
        asked: requestOf(command),
        skipped: skippedOf(recorded, projection),
      });
      return;
    case 'ProjectionRebuildCancelled':
      return stopBuilding(client, name);
    case 'ProjectionSwitched':
      // The worker has already switched.
      return command.data.afterRebuild ? undefined : allowSwitch(client, projection, command.data.generation);
    case 'ProjectionVerificationStarted':
      return startVerification(client, projection, command.id);
    case 'ProjectionVerificationCancelled':
      return dropVerification(client, name);
    case 'ProjectionVerificationFinished':
      return storeResult(client, name, command);
    case 'ProjectionEventRetried':
      return clearError(client, name, command.data.eventId);
    case 'ProjectionEventSkipped':
      return skipEvent(client, name, command);
  }
}

/** Drops the building generation; one that was live before becomes former again. */
async function stopBuilding(client: PoolClient, name: string): Promise<void> {
  const building = (await listGenerations(client, [name])).find(({ status }) => status === 'building');
  if (!building) return;
  if (building.switchedAt === null) await dropGeneration(client, name, building.generation);
  else await change(client, building, `status = 'former', error = null, asked = null, ${NO_HOLDER}`);
}

const requestOf = ({ id, metadata: { actor, correlationId } }: RecordedCommand): SwitchRequest => ({
  actId: id,
  correlationId,
  actor,
});

/** Lets a worker catch up and switch. Clears `asked`, because the switch is already in the log as a command. */
async function allowSwitch(client: PoolClient, projection: Projection, generation: number): Promise<void> {
  const row = await findGeneration(client, projection.name, generation);
  if (row?.shapeHash !== shapeHash(projection)) return;
  if (row.status === 'building') return change(client, row, 'hold = false, asked = null');
  const generations = await listGenerations(client, [projection.name]);
  if (row.status === 'former' && !generations.some(({ status }) => status === 'building'))
    await change(client, row, `status = 'building', hold = false, asked = null`);
}

async function startVerification(client: PoolClient, projection: Projection, actId: string): Promise<void> {
  const generations = await listGenerations(client, [projection.name]);
  if (generations.some(({ verification }) => verification !== null)) return;
  await createGeneration(client, projection, 'verifying', { verification: { actId } });
}

async function dropVerification(client: PoolClient, name: string): Promise<void> {
  for (const { generation, verification } of await listGenerations(client, [name])) {
    if (verification !== null) await dropGeneration(client, name, generation);
  }
}

async function storeResult(
  client: PoolClient,
  name: string,
  { data, metadata }: Extract<RecordedCommand, { type: 'ProjectionVerificationFinished' }>,
): Promise<void> {
  const { outcome, ordinal, liveHash, rebuiltHash, error, differing = null } = data;
  const finishedAt = metadata.recordedAt;
  const verified = (await listGenerations(client, [name])).find(({ verification }) => verification !== null);
  const named = verified?.verification?.named ?? [];
  const result: VerificationResult = {
    ...{ outcome, ordinal, liveHash, rebuiltHash, error, differing, named, finishedAt },
  };
  await client.query('update read.projection_maintenance set verification = $2 where name = $1', [
    name,
    JSON.stringify(result),
  ]);
  await dropVerification(client, name);
}

async function clearError(client: PoolClient, name: string, eventId: string): Promise<void> {
  await client.query(
    `update read.projection_generations set error = null where name = $1 and error ->> 'eventId' = $2`,
    [name, eventId],
  );
}

/** Adds the event to all generations that have not passed it, and revokes their leases: holders load skipped events at the start. */
async function skipEvent(
  client: PoolClient,
  name: string,
  { data, metadata }: Extract<RecordedCommand, { type: 'ProjectionEventSkipped' }>,
): Promise<void> {
  const { eventId, eventType, ordinal, reason } = data;
  const skipped = { eventId, eventType, ordinal, reason, at: metadata.recordedAt };
  await client.query(
    `update read.projection_generations
     set skipped = skipped || $3::jsonb, ${NO_HOLDER},
       error = case when error ->> 'eventId' = $4 then null else error end
     where name = $1 and version = $2 and status <> 'verifying' and ordinal < $5 and not skipped @> $6::jsonb`,
    [name, data.version, JSON.stringify([skipped]), eventId, ordinal, JSON.stringify([{ eventId }])],
  );
}

const NO_HOLDER = 'owner = null, epoch = epoch + 1, expires_at = null';

/** Does nothing if a switch has changed the status in between. */
async function change(
  client: PoolClient,
  { name, generation, status }: Generation,
  assignments: string,
): Promise<void> {
  await client.query(
    `update read.projection_generations set ${assignments} where name = $1 and generation = $2 and status = $3`,
    [name, generation, status],
  );
}

const SWITCHED_NAMESPACE = 'd0e6a1c4-7d0b-5f0e-9a55-0f7c2f4f8b61';

/**
 * Appends the switches at the end of rebuilds to the log, as the actor who requested the rebuild. Any worker may do so, because the one
 * that switched may have crashed; ids derived from the request prevent duplicates.
 */
export async function reportSwitches(
  pool: Pool,
  store: EventStore,
  generations: readonly Generation[],
): Promise<void> {
  for (const generation of generations) {
    const { name, status, asked } = generation;
    if (asked === null || (status !== 'live' && status !== 'former')) continue;
    await store.append([
      {
        streamId: maintenanceStream(name),
        expectedRevision: 'any',
        events: [{ id: uuidv5(asked.actId, SWITCHED_NAMESPACE), ...switchOf(generation, asked) }],
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
  { actId, correlationId, actor, fromGeneration = null }: SwitchRequest,
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
