import type { Pool, PoolClient } from 'pg';
import type { Position } from '@nimo/event-store';
import type { Projection } from '../projection.js';
import {
  assignToSchemaOwnerSql,
  createIndexSql,
  createTableSql,
  createViewSql,
  generationTable,
  shapeHash,
  tableShapes,
} from '../storage/table-shape.js';
import {
  type SwitchRequest,
  type GenerationStatus,
  IS_FREE,
  type ProjectionError,
  type SkippedEvent,
  type VerificationTask,
} from '../bookkeeping/bookkeeping.js';
import type { RecordedCommands } from '../bookkeeping/maintenance-commands.js';
import { READ_TYPES } from '../storage/column-values.js';
import type { Queryable } from '../storage/table-statements.js';
import { inTransaction } from '../storage/transaction.js';

/** A row of `read.projection_generations`. */
export interface Generation {
  readonly name: string;
  readonly generation: number;
  readonly version: number;
  readonly shapeHash: string;
  readonly status: GenerationStatus;
  readonly indexed: boolean;
  readonly position: Position | null;
  readonly ordinal: number;
  readonly startedAt: string;
  readonly updatedAt: string;
  readonly error: ProjectionError | null;
  readonly skipped: readonly SkippedEvent[];
  readonly owner: string | null;
  readonly epoch: number;
  /** Whether its lease is held. */
  readonly isLed: boolean;
  /** Whether its lease can be acquired. */
  readonly isFree: boolean;
  readonly hold: boolean;
  readonly switchedAt: string | null;
  readonly verification: VerificationTask | null;
  readonly asked: SwitchRequest | null;
}

const SELECT = `
  select name, generation, version, shape_hash as "shapeHash", status, indexed, position, ordinal,
    started_at as "startedAt", updated_at as "updatedAt", error, skipped, owner, epoch,
    coalesce(expires_at > clock_timestamp(), false) as "isLed",
    ${IS_FREE} as "isFree",
    hold, switched_at as "switchedAt", verification, asked
  from read.projection_generations`;

/** All generations of the given projections, oldest first. */
export async function listGenerations(client: Queryable, names: readonly string[]): Promise<Generation[]> {
  const { rows } = await client.query<Generation>({
    text: `${SELECT} where name = any($1) order by name, generation`,
    values: [names],
    types: READ_TYPES,
  });
  return rows;
}

export async function findGeneration(
  client: Queryable,
  name: string,
  generation: number,
): Promise<Generation | undefined> {
  const generations = await listGenerations(client, [name]);
  return generations.find((candidate) => candidate.generation === generation);
}

/** Ensures that a generation is building: the current one, a former one of the same shape, or a new one. */
export async function ensureBuilding(
  client: PoolClient,
  projection: Projection,
  { from = 'former', ...options }: { readonly from?: 'former' | 'nothing' } & NewGeneration = {},
): Promise<void> {
  const hash = shapeHash(projection);
  const generations = await listGenerations(client, [projection.name]);
  const building = generations.find(({ status }) => status === 'building');
  if (building?.shapeHash === hash) return;
  if (building) await dropGeneration(client, projection.name, building.generation);
  const former = generations
    .filter(({ status, shapeHash: other }) => status === 'former' && other === hash)
    .at(-1);
  if (former && from === 'former') {
    await client.query(
      `update read.projection_generations set status = 'building', asked = $3 where name = $1 and generation = $2`,
      [projection.name, former.generation, jsonOf(options.asked)],
    );
    return;
  }
  await createGeneration(client, projection, 'building', options);
}

export interface NewGeneration {
  readonly hold?: boolean;
  readonly verification?: VerificationTask;
  readonly asked?: SwitchRequest;
  /** In addition to the events skipped by a live generation of the same shape. */
  readonly skipped?: readonly SkippedEvent[];
}

/** Creates a generation. Its tables get secondary indexes once it has caught up. @returns the generation number */
export async function createGeneration(
  client: PoolClient,
  projection: Projection,
  status: GenerationStatus,
  { hold = false, verification, asked, skipped: additional = [] }: NewGeneration = {},
): Promise<number> {
  const generations = await listGenerations(client, [projection.name]);
  const generation = 1 + Math.max(0, ...generations.map((row) => row.generation));
  const hash = shapeHash(projection);
  for (const shape of tableShapes(projection)) {
    await client.query(createTableSql(shape, generation));
    await client.query(assignToSchemaOwnerSql('table', generationTable(shape.name, generation)));
  }
  // New code gets another chance to handle skipped events.
  const inherited =
    generations.find((other) => other.status === 'live' && other.shapeHash === hash)?.skipped ?? [];
  const skipped = new Map([...inherited, ...additional].map((event) => [event.eventId, event]));
  await client.query(
    `insert into read.projection_generations
       (name, generation, version, shape_hash, status, skipped, hold, verification, asked, switched_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, case when $5 = 'live' then now() end)`,
    [
      projection.name,
      generation,
      projection.version,
      hash,
      status,
      JSON.stringify([...skipped.values()]),
      hold,
      jsonOf(verification),
      jsonOf(asked),
    ],
  );
  await client.query(
    `insert into read.generation_tables (name, generation, table_name) select $1, $2, unnest($3::text[])`,
    [projection.name, generation, tableShapes(projection).map(({ name }) => name)],
  );
  return generation;
}

export async function createIndexes(
  client: Queryable,
  projection: Projection,
  generation: number,
): Promise<void> {
  for (const shape of tableShapes(projection)) {
    for (const sql of createIndexSql(shape, generation)) await client.query(sql);
  }
}

/** Drops the tables and the bookkeeping of a generation, whichever code created them. The live generation is never dropped. */
export async function dropGeneration(client: Queryable, name: string, generation: number): Promise<void> {
  const { rows } = await client.query<{ table_name: string }>(
    `with gone as (
       delete from read.projection_generations where name = $1 and generation = $2 and status <> 'live' returning name, generation
     )
     delete from read.generation_tables t using gone
     where t.name = gone.name and t.generation = gone.generation returning t.table_name`,
    [name, generation],
  );
  for (const { table_name } of rows)
    await client.query(`drop table if exists ${generationTable(table_name, generation)}`);
}

/** Drops retired generations, which still contain data that was erased from the live ones. @returns their number */
export async function dropFormerGenerations(pool: Pool, names: readonly string[]): Promise<number> {
  const former = (await listGenerations(pool, [...names])).filter(({ status }) => status === 'former');
  for (const { name } of former)
    await withProjectionLock(pool, name, async (client) => {
      // By now it may be building again, and so on its way to the end of the log.
      for (const { status, generation } of await listGenerations(client, [name]))
        if (status === 'former') await dropGeneration(client, name, generation);
    });
  return former.length;
}

/** Names of generations behind a position, for display. */
export async function generationsBehind(
  pool: Pool,
  names: readonly string[],
  position: Position,
): Promise<readonly string[]> {
  const generations = await listGenerations(pool, [...names]);
  return generations
    .filter((row) => row.status !== 'former' && (row.position ?? '') < position)
    .map(({ name, generation, status }) => `${name} ${generation} (${status})`);
}

/** Points the views to a generation. Run it in a transaction, with a `lock_timeout` if the views have readers. */
export async function replaceViews(
  client: Queryable,
  projection: Projection,
  from: number | undefined,
  to: number,
): Promise<void> {
  const { rows } = await client.query<{ table_name: string }>(
    'select table_name from read.generation_tables where name = $1 and generation = $2',
    [projection.name, from ?? 0],
  );
  const shapes = tableShapes(projection);
  const views = new Set([...rows.map(({ table_name }) => table_name), ...shapes.map(({ name }) => name)]);
  for (const view of [...views].sort()) await client.query(`drop view if exists read.${view}`);
  for (const shape of shapes) {
    await client.query(createViewSql(shape, to));
    await client.query(assignToSchemaOwnerSql('view', `read.${shape.name}`));
  }
}

/** Events skipped by this version of the projection. Later versions try them again. */
export function skippedOf({ commands }: RecordedCommands, { version }: Projection): SkippedEvent[] {
  return commands.flatMap((command) => {
    if (command.type !== 'ProjectionEventSkipped' || command.data.version !== version) return [];
    const { eventId, eventType, ordinal, reason } = command.data;
    return [{ eventId, eventType, ordinal, reason, at: command.metadata.recordedAt }];
  });
}

/** Changes a projection's generations under a lock shared by all processes. */
export async function withProjectionLock<T>(
  pool: Pool,
  name: string,
  change: (client: PoolClient) => Promise<T>,
): Promise<T> {
  return inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`projection ${name}`]);
    return change(client);
  });
}

const jsonOf = (value: object | undefined): string | null => (value ? JSON.stringify(value) : null);
