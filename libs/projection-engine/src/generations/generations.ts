import { randomUUID } from 'node:crypto';
import type { Pool, PoolClient } from 'pg';
import type { EventStore, Position } from '@nimo/event-store';
import type { Projection } from '../projection.js';
import {
  givenToSchemaOwnerSql,
  createEmptyViewSql,
  createIndexSql,
  createTableSql,
  createViewSql,
  generationTable,
  shapeHash,
  tableShapes,
} from '../storage/table-shape.js';
import {
  type AskedFor,
  type GenerationStatus,
  IS_FREE,
  type ProjectionError,
  READ_DDL,
  type SkippedEvent,
  type VerificationTask,
} from '../bookkeeping/bookkeeping.js';
import {
  NO_COMMANDS,
  readMaintenanceCommands,
  type RecordedCommands,
  skippedOf,
} from '../maintenance/maintenance-commands.js';
import { READ_TYPES } from '../storage/column-values.js';
import type { Querying } from '../storage/table-statements.js';
import { inTransaction } from '../storage/transaction.js';

/** One row of the bookkeeping. */
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
  /** Its lease has not run out. */
  readonly isLed: boolean;
  /** Its lease may be taken. */
  readonly isFree: boolean;
  readonly hold: boolean;
  readonly switchedAt: string | null;
  readonly verification: VerificationTask | null;
  readonly asked: AskedFor | null;
}

const SELECT = `
  select name, generation, version, shape_hash as "shapeHash", status, indexed, position, ordinal,
    started_at as "startedAt", updated_at as "updatedAt", error, skipped, owner, epoch,
    coalesce(expires_at > clock_timestamp(), false) as "isLed",
    ${IS_FREE} as "isFree",
    hold, switched_at as "switchedAt", verification, asked
  from read.projection_generations`;

/** All generations of the projections named, oldest first. */
export async function listGenerations(client: Querying, names: readonly string[]): Promise<Generation[]> {
  const { rows } = await client.query<Generation>({
    text: `${SELECT} where name = any($1) order by name, generation`,
    values: [names],
    types: READ_TYPES,
  });
  return rows;
}

export async function findGeneration(
  client: Querying,
  name: string,
  generation: number,
): Promise<Generation | undefined> {
  const generations = await listGenerations(client, [name]);
  return generations.find((candidate) => candidate.generation === generation);
}

/**
 * Makes sure that every projection has views to be read, and a generation that this code can fill. Run it before anything
 * is read; any number of processes may.
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
    const acts = isServed ? NO_COMMANDS : await readMaintenanceCommands(store, projection.name);
    await withProjectionLock(pool, projection.name, (client) => prepare(client, projection, acts));
  }
}

/** Whether every projection has views to be read; for who may not make them. */
export async function areProjectionsPrepared(
  pool: Pool,
  projections: readonly Projection[],
): Promise<boolean> {
  const { rows } = await pool.query<{ lost: boolean }>(
    `select to_regclass('read.projection_generations') is null as lost`,
  );
  if (rows[0]?.lost !== false) return false;
  const names = projections.map(({ name }) => name);
  const served = await listGenerations(pool, names);
  return names.every((name) => served.some((one) => one.name === name && one.status === 'live'));
}

/** The read side may be thrown away as a whole. */
async function restoreBookkeeping(pool: Pool, projections: readonly Projection[]): Promise<void> {
  const { rows } = await pool.query<{ lost: boolean }>(
    `select to_regclass('read.projection_generations') is null as lost`,
  );
  if (rows[0]?.lost !== true) return;
  const caches = projections.flatMap(({ caches: ddl }) => ddl ?? []);
  await withProjectionLock(pool, 'bookkeeping', (client) => client.query([READ_DDL, ...caches].join(';')));
}

async function prepare(client: PoolClient, projection: Projection, acts: RecordedCommands): Promise<void> {
  const generations = await listGenerations(client, [projection.name]);
  const live = generations.find(({ status }) => status === 'live');
  if (!live) {
    // Nothing to serve meanwhile, so the first generation serves as it fills.
    await createGeneration(client, projection, 'live', { skipped: skippedOf(acts, projection) });
    await replaceViews(client, projection, undefined, 1 + lastOf(generations));
    await takeAsDone(client, projection.name, acts);
    return;
  }
  // Code of an earlier version stands by: in a rolling update two versions must not rebuild against each other.
  if (live.shapeHash === shapeHash(projection) || live.version > projection.version) return;
  await ensureBuilding(client, projection, { asked: byNewCode() });
  await createMissingViews(client, projection);
}

/** A table that is new in this code is empty to its readers until the generation that has it takes over. */
async function createMissingViews(client: PoolClient, projection: Projection): Promise<void> {
  const shapes = tableShapes(projection);
  const { rows } = await client.query<{ name: string }>(
    `select name from unnest($1::text[]) as name where to_regclass('read.' || name) is null`,
    [shapes.map(({ name }) => name)],
  );
  const missing = new Set(rows.map(({ name }) => name));
  for (const shape of shapes.filter(({ name }) => missing.has(name))) {
    await client.query(createEmptyViewSql(shape));
    await client.query(givenToSchemaOwnerSql('view', `read.${shape.name}`));
  }
}

/** What was asked of generations that are lost, or were another installation's, is not done again. */
async function takeAsDone(client: PoolClient, name: string, { revision }: RecordedCommands): Promise<void> {
  await client.query(
    `insert into read.projection_acts (name, revision) values ($1, $2)
     on conflict (name) do update set revision = excluded.revision`,
    [name, revision],
  );
}

/**
 * For a log that was put there as a whole, under a read side that was prepared while there was none: the acts in it had their effect
 * where they were asked for. Only what was left out is left out here as well.
 */
export async function adoptLog(
  pool: Pool,
  store: EventStore,
  projections: readonly Projection[],
): Promise<void> {
  for (const projection of projections) {
    const acts = await readMaintenanceCommands(store, projection.name);
    await withProjectionLock(pool, projection.name, async (client) => {
      await client.query(
        `update read.projection_generations set skipped = $2 where name = $1 and status = 'live' and position is null`,
        [projection.name, JSON.stringify(skippedOf(acts, projection))],
      );
      await takeAsDone(client, projection.name, acts);
    });
  }
}

function byNewCode(): AskedFor {
  const actId = randomUUID();
  return { actId, correlationId: actId, actor: { kind: 'system' } };
}

/** The generation that is being built to take the live one's place: one that was begun, a former one that fits, or a new one. */
export async function ensureBuilding(
  client: PoolClient,
  projection: Projection,
  { from = 'former', ...given }: { readonly from?: 'former' | 'nothing' } & NewGeneration = {},
): Promise<number> {
  const hash = shapeHash(projection);
  const generations = await listGenerations(client, [projection.name]);
  const building = generations.find(({ status }) => status === 'building');
  if (building?.shapeHash === hash) return building.generation;
  if (building) await dropGeneration(client, projection.name, building.generation);
  const former = generations
    .filter(({ status, shapeHash: other }) => status === 'former' && other === hash)
    .at(-1);
  if (former && from === 'former') {
    await client.query(
      `update read.projection_generations set status = 'building', asked = $3 where name = $1 and generation = $2`,
      [projection.name, former.generation, jsonOf(given.asked)],
    );
    return former.generation;
  }
  return createGeneration(client, projection, 'building', given);
}

export interface NewGeneration {
  readonly hold?: boolean;
  readonly verification?: VerificationTask;
  readonly asked?: AskedFor;
  /** Left out from the start, besides what the live generation of the same code left out. */
  readonly skipped?: readonly SkippedEvent[];
}

/** Tables without secondary indexes, which are made once it has caught up. */
export async function createGeneration(
  client: PoolClient,
  projection: Projection,
  status: GenerationStatus,
  { hold = false, verification, asked, skipped: given = [] }: NewGeneration = {},
): Promise<number> {
  const generations = await listGenerations(client, [projection.name]);
  const generation = 1 + lastOf(generations);
  const hash = shapeHash(projection);
  for (const shape of tableShapes(projection)) {
    await client.query(createTableSql(shape, generation));
    await client.query(givenToSchemaOwnerSql('table', generationTable(shape.name, generation)));
  }
  // A skipped event is skipped again by the same code; new code may know what to do with it.
  const inherited =
    generations.find((other) => other.status === 'live' && other.shapeHash === hash)?.skipped ?? [];
  const skipped = new Map([...inherited, ...given].map((event) => [event.eventId, event]));
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
  client: Querying,
  projection: Projection,
  generation: number,
): Promise<void> {
  for (const shape of tableShapes(projection)) {
    for (const sql of createIndexSql(shape, generation)) await client.query(sql);
  }
}

/** Drops the tables, whatever code made them, and the bookkeeping of a generation that serves nobody. */
export async function dropGeneration(client: Querying, name: string, generation: number): Promise<void> {
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

/** Points the views at a generation. To be run in a transaction, with a lock_timeout where readers are about. */
export async function replaceViews(
  client: Querying,
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
    await client.query(givenToSchemaOwnerSql('view', `read.${shape.name}`));
  }
}

/** Changes to the set of a projection's generations happen one at a time, in whatever process. */
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

function lastOf(generations: readonly Generation[]): number {
  return Math.max(0, ...generations.map(({ generation }) => generation));
}

const jsonOf = (value: object | undefined): string | null => (value ? JSON.stringify(value) : null);
