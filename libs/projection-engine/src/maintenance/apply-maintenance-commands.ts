import type { EventStore } from '@nimo/event-store';
import type { Pool, PoolClient } from 'pg';
import type { Projection } from '../projection.js';
import type { AskedFor, VerificationResult } from '../bookkeeping/bookkeeping.js';
import {
  createGeneration,
  dropGeneration,
  ensureBuilding,
  findGeneration,
  type Generation,
  listGenerations,
  withProjectionLock,
} from '../generations/generations.js';
import {
  readMaintenanceCommands,
  type RecordedCommand,
  type RecordedCommands,
  skippedOf,
  type CommandMetadata,
  actsStream,
  type ProjectionSwitched,
} from './maintenance-commands.js';
import { shapeHash } from '../storage/table-shape.js';
import { v5 as uuidv5 } from 'uuid';

/**
 * Brings the bookkeeping to what the log says was asked of a projection, each act once and in order, whoever calls it and however
 * often: an act is in the log before it has an effect, and whoever died in between is made up for by the next.
 */
export async function applyMaintenanceCommands(
  pool: Pool,
  store: EventStore,
  projection: Projection,
): Promise<void> {
  await tellOfSwitches(pool, store, await listGenerations(pool, [projection.name]));
  const recorded = await readMaintenanceCommands(store, projection.name);
  await withProjectionLock(pool, projection.name, async (client) => {
    const settled = await settledRevision(client, projection.name);
    const generations = await listGenerations(client, [projection.name]);
    const live = generations.find(({ status }) => status === 'live');
    // In a rolling update the acts are for the newer code to carry out.
    if (live !== undefined && live.version > projection.version) return;
    const open = recorded.acts.filter(({ revision }) => revision > settled);
    for (const act of open) await carryOut(client, projection, act, recorded);
    if (open.length === 0) return;
    await client.query('update read.projection_acts set revision = $2 where name = $1', [
      projection.name,
      recorded.revision,
    ]);
  });
}

async function settledRevision(client: PoolClient, name: string): Promise<number> {
  await client.query(
    'insert into read.projection_acts (name, revision) values ($1, -1) on conflict do nothing',
    [name],
  );
  const { rows } = await client.query<{ revision: string }>(
    'select revision from read.projection_acts where name = $1',
    [name],
  );
  return Number(rows[0]?.revision ?? -1);
}

async function carryOut(
  client: PoolClient,
  projection: Projection,
  act: RecordedCommand,
  recorded: RecordedCommands,
): Promise<void> {
  const { name } = projection;
  switch (act.type) {
    case 'ProjectionRebuildStarted':
      await ensureBuilding(client, projection, {
        from: 'nothing',
        hold: act.data.hold,
        asked: askedBy(act),
        skipped: skippedOf(recorded, projection),
      });
      return;
    case 'ProjectionRebuildCancelled':
      return stopBuilding(client, name);
    case 'ProjectionSwitched':
      // What the worker did by itself is done.
      return act.data.afterRebuild ? undefined : letTakeOver(client, projection, act.data.generation);
    case 'ProjectionVerificationStarted':
      return beginVerification(client, projection, act.id);
    case 'ProjectionVerificationCancelled':
      return dropVerification(client, name);
    case 'ProjectionVerificationFinished':
      return keepResult(client, name, act);
    case 'ProjectionEventRetried':
      return clearError(client, name, act.data.eventId);
    case 'ProjectionEventSkipped':
      return leaveOut(client, name, act);
  }
}

/** A former generation that was on its way back is former again; one that was made for this is dropped. */
async function stopBuilding(client: PoolClient, name: string): Promise<void> {
  const building = (await listGenerations(client, [name])).find(({ status }) => status === 'building');
  if (!building) return;
  if (building.switchedAt === null) await dropGeneration(client, name, building.generation);
  else await change(client, building, `status = 'former', error = null, asked = null, ${LEADERLESS}`);
}

const askedBy = ({ id, metadata: { actor, correlationId } }: RecordedCommand): AskedFor => ({
  actId: id,
  correlationId,
  actor,
});

/** The worker brings it to the head of the log and switches. That it did is told by the act which asked for it. */
async function letTakeOver(client: PoolClient, projection: Projection, generation: number): Promise<void> {
  const row = await findGeneration(client, projection.name, generation);
  if (row?.shapeHash !== shapeHash(projection)) return;
  if (row.status === 'building') return change(client, row, 'hold = false, asked = null');
  const generations = await listGenerations(client, [projection.name]);
  if (row.status === 'former' && !generations.some(({ status }) => status === 'building'))
    await change(client, row, `status = 'building', hold = false, asked = null`);
}

async function beginVerification(client: PoolClient, projection: Projection, actId: string): Promise<void> {
  const generations = await listGenerations(client, [projection.name]);
  if (generations.some(({ verification }) => verification !== null)) return;
  await createGeneration(client, projection, 'verifying', { verification: { actId } });
}

async function dropVerification(client: PoolClient, name: string): Promise<void> {
  for (const { generation, verification } of await listGenerations(client, [name])) {
    if (verification !== null) await dropGeneration(client, name, generation);
  }
}

async function keepResult(
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
  await client.query('update read.projection_acts set verification = $2 where name = $1', [
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

/** In all generations that have not passed it. Who runs one of them has to begin anew, as it knows the skipped events from its start. */
async function leaveOut(
  client: PoolClient,
  name: string,
  { data, metadata }: Extract<RecordedCommand, { type: 'ProjectionEventSkipped' }>,
): Promise<void> {
  const { eventId, eventType, ordinal, reason } = data;
  const skipped = { eventId, eventType, ordinal, reason, at: metadata.recordedAt };
  await client.query(
    `update read.projection_generations
     set skipped = skipped || $3::jsonb, ${LEADERLESS},
       error = case when error ->> 'eventId' = $4 then null else error end
     where name = $1 and version = $2 and status <> 'verifying' and ordinal < $5 and not skipped @> $6::jsonb`,
    [name, data.version, JSON.stringify([skipped]), eventId, ordinal, JSON.stringify([{ eventId }])],
  );
}

const LEADERLESS = 'owner = null, epoch = epoch + 1, expires_at = null';

/** Unless a switch came between: what it made of the generation stands. */
async function change(
  client: PoolClient,
  { name, generation, status }: Generation,
  what: string,
): Promise<void> {
  await client.query(
    `update read.projection_generations set ${what} where name = $1 and generation = $2 and status = $3`,
    [name, generation, status],
  );
}

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
