import { describe, expect, it } from '@jest/globals';
import type { Append, EventStore, RecordedEvent } from '@nimo/event-store';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import type { Pool } from 'pg';
import {
  createTestDatabase,
  eventually,
  hasRandomSeeds,
  historySeed,
  SeededRandom,
  type TestDatabase,
} from '@nimo/testing';
import { type Checkpoint, Leases } from './bookkeeping/leases.js';
import type { MaintenanceCommand, MaintenanceState } from './bookkeeping/maintenance-commands.js';
import {
  createGeneration,
  type Generation,
  listGenerations,
  withProjectionLock,
} from './generations/generations.js';
import { ProjectionMaintenance } from './maintenance/projection-maintenance.js';
import type { Projection } from './projection.js';
import { canonicalHash } from './storage/compare-tables.js';
import { inTransaction } from './storage/transaction.js';
import { applyBatch } from './rebuild/batch-writer.js';
import { projectedBatch } from './rebuild/projected-batch.js';
import { GenerationTables } from './generations/generation-tables.js';
import { ProjectionWorker } from './worker/projection-worker.js';

export type { Checkpoint } from './bookkeeping/leases.js';
export { Leases } from './bookkeeping/leases.js';
export { applyBatch } from './rebuild/batch-writer.js';
export { GenerationTables } from './generations/generation-tables.js';
export { projectedBatch } from './rebuild/projected-batch.js';

/** Turns background errors into test failures. */
export function failTest(error: unknown): never {
  throw error;
}

export async function storeOf(appends: readonly Append[]): Promise<InMemoryEventStore> {
  const store = new InMemoryEventStore();
  if (appends.length > 0) await store.append(appends);
  return store;
}

/** Reads the whole log page by page. */
export async function allEvents(store: EventStore): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (;;) {
    const after = events.at(-1)?.position;
    const page = await store.readAll({ ...(after === undefined ? {} : { after }), limit: 1000 });
    if (page.length === 0) return events;
    events.push(...page);
  }
}

/**
 * Folds events into a new generation.
 * @param sizes batch sizes; the last one repeats
 * @returns the canonical hash of the generation
 */
export async function replay(
  pool: Pool,
  projection: Projection,
  events: readonly RecordedEvent[],
  sizes: readonly number[],
  mode: 'live' | 'rebuilding' = 'live',
): Promise<string> {
  const leases = new Leases(pool, failTest);
  const generation = await withProjectionLock(pool, projection.name, (client) =>
    createGeneration(client, projection, 'verifying'),
  );
  const lease = await leases.acquire(projection.name, generation);
  if (!lease) throw new Error('the lease is taken');
  const tables = new GenerationTables(projection, lease);
  let checkpoint: Checkpoint = { position: null, ordinal: 0 };
  for (let start = 0, count = 0; start < events.length; count += 1) {
    const size = sizes[Math.min(count, sizes.length - 1)] ?? 1;
    const batch = projectedBatch(checkpoint, events.slice(start, start + size), new Set());
    checkpoint = await applyBatch(pool, tables, batch, mode === 'rebuilding');
    start += size;
  }
  if (mode === 'rebuilding') await inTransaction(pool, (client) => tables.finishRebuild(client));
  await leases.release(lease);
  return canonicalHash(pool, projection, generation);
}

/** Sends the commands that maintainers send through the API or the command line. */
export function maintainerOf(maintenance: ProjectionMaintenance) {
  const send = async (
    projection: string,
    commandsOf: (standing: MaintenanceState) => readonly MaintenanceCommand[],
  ): Promise<void> => {
    for (const command of commandsOf(await maintenance.maintenanceState(projection)))
      await maintenance.request(command);
  };
  return {
    rebuild: (projection: string, hold = false) =>
      send(projection, ({ building }) =>
        building === null ? [{ type: 'ProjectionRebuildStarted', data: { projection, hold } }] : [],
      ),
    cancel: (projection: string) =>
      send(projection, ({ building }) =>
        building === null
          ? []
          : [{ type: 'ProjectionRebuildCancelled', data: { projection, generation: building } }],
      ),
    cancelVerification: (projection: string) =>
      send(projection, () => [{ type: 'ProjectionVerificationCancelled', data: { projection } }]),
    verify: (projection: string) =>
      send(projection, ({ isVerifying }) =>
        isVerifying ? [] : [{ type: 'ProjectionVerificationStarted', data: { projection } }],
      ),
    switchTo: (projection: string, generation: number) =>
      send(projection, ({ live, switchable }) => {
        if (generation === live) return [];
        if (!switchable.includes(generation))
          throw new RangeError(`Generation ${generation} of ${projection} cannot be switched to`);
        return [{ type: 'ProjectionSwitched', data: { projection, generation, fromGeneration: live } }];
      }),
    retry: (projection: string) =>
      send(projection, ({ stoppedAt }) =>
        Array.from(new Map(stoppedAt.map((stop) => [stop.eventId, stop])).values(), (stop) => ({
          type: 'ProjectionEventRetried',
          data: { projection, ...stop },
        })),
      ),
    skip: (projection: string, reason: string) =>
      send(projection, ({ stoppedAt: [stop], version }) =>
        stop === undefined
          ? []
          : [{ type: 'ProjectionEventSkipped', data: { projection, ...stop, version, reason } }],
      ),
  };
}

function randomSizes(count: number, chance: SeededRandom): number[] {
  return Array.from({ length: count }, () => 1 + Math.floor(chance.next() ** 3 * 200));
}

/**
 * Waits until the live generation has passed the head of the log at the time of the call.
 * @throws Error if the generation stopped
 */
export async function caughtUp(
  pool: Pool,
  { name }: Projection,
  store: Pick<EventStore, 'head'>,
): Promise<Generation> {
  const head = (await store.head()) ?? '';
  const liveOf = (rows: readonly Generation[]): Generation | undefined =>
    rows.find(({ status }) => status === 'live');
  const generations = await eventually(
    () => listGenerations(pool, [name]),
    (rows) => {
      const live = liveOf(rows);
      return live !== undefined && ((live.position ?? '') >= head || live.error !== null);
    },
  );
  const live = liveOf(generations);
  if (!live || live.error) throw new Error(`${name} stopped: ${live?.error?.message ?? 'not live'}`);
  return live;
}

/** The hash of the live generation once it has caught up. */
export async function liveHash(
  pool: Pool,
  projection: Projection,
  store: Pick<EventStore, 'head'>,
): Promise<string> {
  const { generation } = await caughtUp(pool, projection, store);
  return canonicalHash(pool, projection, generation);
}

export interface History {
  readonly appends: readonly Append[];
  readonly later?: readonly Append[];
}

/** Replaces the data of the events. */
async function withDataOf(
  events: readonly RecordedEvent[],
  appends: readonly Append[],
): Promise<readonly RecordedEvent[]> {
  const store = await storeOf(appends);
  const data = new Map((await allEvents(store)).map((event) => [event.id, event.data]));
  return events.map((event) => ({ ...event, data: data.get(event.id) ?? event.data }));
}

/**
 * Tests that a projection gives exactly the same rows live, replayed in batches of any size and rebuilt from scratch.
 * @param makeEvents.later the same events as read at the end of the history, if they read differently by then
 * @param seed shown in the test name; set NIMO_HISTORY_SEED to repeat a run
 */
export function projectionContract(
  projection: Projection,
  makeEvents: (seed: number) => History,
  seed = historySeed(),
): void {
  describe(`projection ${projection.name} (NIMO_HISTORY_SEED=${seed})`, () => {
    it('gives the same rows live, replayed, in batches of any size and rebuilt from scratch', async () => {
      const { appends, later = appends } = makeEvents(seed);
      expect(appends.length).toBeGreaterThan(0);
      const database: TestDatabase = await createTestDatabase();
      const store = new InMemoryEventStore();
      const errors: unknown[] = [];
      const onError = (error: unknown): void => void errors.push(error);
      const options = { pool: database.pool(), store, projections: [projection], onError };
      const worker = new ProjectionWorker({ ...options, retryMs: 20, pageSize: 100, buildBytes: 100_000 });
      try {
        await worker.start();
        await expectSameRows(projection, { appends, later }, options, new SeededRandom(seed));
      } finally {
        await worker.stop();
        await store.close();
        await database.drop();
      }
      expect(errors).toEqual([]);
    });
  });
}

async function expectSameRows(
  projection: Projection,
  { appends, later }: Required<History>,
  { pool, store }: { readonly pool: Pool; readonly store: InMemoryEventStore },
  chance: SeededRandom,
): Promise<void> {
  for (const append of appends) {
    await store.append([append]);
    // Varies the batches of the worker.
    if (chance.isTrue(0.2)) await new Promise(setImmediate);
  }
  const live = await liveHash(pool, projection, store);

  const events = await allEvents(store);
  // One transaction per event would take longer than the rest of the test.
  const small = hasRandomSeeds ? [1] : events.map(() => chance.between(1, 4));
  expect(await replay(pool, projection, events, small)).toBe(live);
  expect(await replay(pool, projection, events, [events.length])).toBe(live);
  const sizes = randomSizes(events.length, chance);
  for (const mode of ['live', 'rebuilding'] as const) {
    const hash = await replay(pool, projection, events, sizes, mode);
    expect({ mode, sizes, hash }).toEqual({ mode, sizes, hash: live });
  }

  const reread = await withDataOf(events, later);
  // A rebuild that overlaps a rewrite of the log reads its first events in their old form.
  const from = Math.floor(chance.next() * events.length);
  for (const read of [reread, [...events.slice(0, from), ...reread.slice(from)]])
    for (const mode of ['live', 'rebuilding'] as const) {
      const hash = await replay(pool, projection, read, sizes, mode);
      expect({ mode, from, sizes, hash }).toEqual({ mode, from, sizes, hash: live });
    }

  const maintenance = new ProjectionMaintenance({ pool, store, projections: [projection], pollMs: 5 });
  expect(await maintenance.rebuild(projection.name)).toBe('switched');
  // The rebuild and its switch are events too, and the audit projection has rows for them. The worker reports the switch with a delay.
  const withSwitch = await eventually(
    () => allEvents(store),
    (all) => all.at(-1)?.type === 'ProjectionSwitched',
  );
  const rebuilt = await replay(pool, projection, withSwitch, [1000]);
  expect(await liveHash(pool, projection, store)).toBe(rebuilt);
  expect(await maintenance.verify(projection.name)).toMatchObject({ outcome: 'EQUAL' });
}
