import { describe, expect, it } from '@jest/globals';
import {
  cancelRebuild,
  cancelVerification,
  OPERATOR,
  type ProjectionAct,
  type ProjectionStanding,
  retryStopped,
  skipStopped,
  startRebuild,
  startVerification,
  switchProjection,
} from '@nimo/domain';
import type { Append, EventStore, RecordedEvent } from '@nimo/event-store';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import type { Pool } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/postgres.js';
import { historySeed } from '../../../test/seed.js';
import { SeededRandom } from '../../../test/seeded-random.js';
import type { Projection } from './projection.js';
import { BatchWriter } from './runner/batch-writer.js';
import { canonicalHash } from './runner/canonical-hash.js';
import { type Checkpoint, CheckpointMoves } from './runner/checkpoint.js';
import {
  createGeneration,
  type Generation,
  listGenerations,
  withProjectionLock,
} from './runner/generations.js';
import { Leases } from './runner/leases.js';
import { ProjectionMaintenance } from './runner/projection-maintenance.js';
import { ProjectionWorker } from './runner/projection-worker.js';

export { TypesenseDouble } from './search/typesense/testing/typesense-double.js';

/** A failure in the background of a test is a failure of the test. */
export function failTest(error: unknown): never {
  throw error;
}

/** Waits for a condition, with a bound; says what it saw last. */
export async function eventually<T>(
  look: () => Promise<T>,
  isDone: (seen: T) => boolean,
  patienceMs = 10_000,
): Promise<T> {
  const end = performance.now() + patienceMs;
  for (;;) {
    const seen = await look();
    if (isDone(seen)) return seen;
    if (performance.now() > end) throw new Error(`it did not come about; last seen: ${JSON.stringify(seen)}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export async function storeOf(appends: readonly Append[]): Promise<InMemoryEventStore> {
  const store = new InMemoryEventStore();
  if (appends.length > 0) await store.append(appends);
  return store;
}

/** The whole log, page after page. */
export async function allEvents(store: EventStore): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for (;;) {
    const after = events.at(-1)?.position;
    const page = await store.readAll({ ...(after === undefined ? {} : { after }), limit: 1000 });
    if (page.length === 0) return events;
    events.push(...page);
  }
}

/** Folds events in batches of the sizes given (the last one repeats) into a generation of its own. */
export async function replay(
  pool: Pool,
  projection: Projection,
  events: readonly RecordedEvent[],
  sizes: readonly number[],
): Promise<string> {
  const leases = new Leases(pool, failTest);
  const generation = await withProjectionLock(pool, projection.name, (client) =>
    createGeneration(client, projection, 'verifying'),
  );
  const lease = await leases.acquire(projection.name, generation);
  if (!lease) throw new Error('a new generation was taken');
  const writer = new BatchWriter(pool, new CheckpointMoves(pool), projection, lease);
  let checkpoint: Checkpoint = { position: null, ordinal: 0 };
  for (let start = 0, batch = 0; start < events.length; batch += 1) {
    const size = sizes[Math.min(batch, sizes.length - 1)] ?? 1;
    checkpoint = await writer.apply(checkpoint, events.slice(start, start + size), {
      rebuilding: true,
      skipped: new Set(),
    });
    start += size;
  }
  await leases.release(lease);
  return canonicalHash(pool, projection, generation);
}

/** What a maintainer does by way of the api or the command line, with the same decisions. */
export function maintainerOf(maintenance: ProjectionMaintenance) {
  const carryOut = async (
    name: string,
    decide: (command: { by: typeof OPERATOR; standing: ProjectionStanding }) => readonly ProjectionAct[],
  ): Promise<void> => {
    const standing = await maintenance.standing(name);
    for (const event of decide({ by: OPERATOR, standing })) await maintenance.act(event);
  };
  return {
    rebuild: (name: string, hold = false) => carryOut(name, (command) => startRebuild({ ...command, hold })),
    cancel: (name: string) => carryOut(name, cancelRebuild),
    cancelVerification: (name: string) => carryOut(name, cancelVerification),
    verify: (name: string) => carryOut(name, startVerification),
    switchTo: (name: string, generation: number) =>
      carryOut(name, (command) => switchProjection({ ...command, generation })),
    retry: (name: string) => carryOut(name, retryStopped),
    skip: (name: string, reason: string) =>
      carryOut(name, (command) => {
        const eventId = command.standing.stoppedAt[0]?.eventId ?? '';
        return skipStopped({ ...command, eventId, reason });
      }),
  };
}

function randomSizes(count: number, chance: SeededRandom): number[] {
  return Array.from({ length: count }, () => 1 + Math.floor(chance.next() ** 3 * 200));
}

/**
 * The live generation, once it has passed what is the head of the log at the call. It may be beyond it when it is looked at: a worker
 * writes too, as it tells of a switch.
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

/** Brings the live generation to the head of the store's log and tells its hash. */
export async function liveHash(
  pool: Pool,
  projection: Projection,
  store: Pick<EventStore, 'head'>,
): Promise<string> {
  const { generation } = await caughtUp(pool, projection, store);
  return canonicalHash(pool, projection, generation);
}

/**
 * What every projection promises: live event by event, replayed, replayed in batches of any size and rebuilt from nothing
 * give the same rows to the byte.
 * @param seed told by the name of the test, and repeated by NIMO_HISTORY_SEED
 */
export function projectionContract(
  projection: Projection,
  makeEvents: (seed: number) => readonly Append[],
  seed = historySeed(),
): void {
  describe(`projection ${projection.name} (NIMO_HISTORY_SEED=${seed})`, () => {
    it('gives the same rows live, replayed twice, in batches of any size and rebuilt from nothing', async () => {
      const appends = makeEvents(seed);
      expect(appends.length).toBeGreaterThan(0);
      const database: TestDatabase = await createTestDatabase();
      const store = new InMemoryEventStore();
      const errors: unknown[] = [];
      const onError = (error: unknown): void => void errors.push(error);
      const options = { pool: database.pool(), store, projections: [projection], onError };
      const worker = new ProjectionWorker({ ...options, retryMs: 20, pageSize: 100 });
      try {
        await worker.start();
        await holds(projection, appends, options, new SeededRandom(seed));
      } finally {
        // Whatever was not as expected: what goes on would outlive the test and its database.
        await worker.stop();
        await store.close();
        await database.drop();
      }
      expect(errors).toEqual([]);
      // A whole history five times over: on a busy machine that takes minutes.
    }, 300_000);
  });
}

async function holds(
  projection: Projection,
  appends: readonly Append[],
  { pool, store }: { readonly pool: Pool; readonly store: InMemoryEventStore },
  chance: SeededRandom,
): Promise<void> {
  for (const append of appends) {
    await store.append([append]);
    // Lets the worker take some events one by one and others together.
    if (chance.isTrue(0.2)) await new Promise(setImmediate);
  }
  const live = await liveHash(pool, projection, store);

  const events = await allEvents(store);
  expect(await replay(pool, projection, events, [1])).toBe(live);
  expect(await replay(pool, projection, events, [events.length])).toBe(live);
  const sizes = randomSizes(events.length, chance);
  expect({ sizes, hash: await replay(pool, projection, events, sizes) }).toEqual({ sizes, hash: live });

  const maintenance = new ProjectionMaintenance({ pool, store, projections: [projection] });
  expect(await maintenance.rebuild(projection.name)).toBe('switched');
  // The rebuild and its switch are events themselves, and the audit's rows tell of them. The worker writes the latter when it comes to it.
  const told = await eventually(
    () => allEvents(store),
    (all) => all.at(-1)?.type === 'ProjectionSwitched',
  );
  const rebuilt = await replay(pool, projection, told, [1000]);
  expect(await liveHash(pool, projection, store)).toBe(rebuilt);
  expect(await maintenance.verify(projection.name)).toMatchObject({ outcome: 'EQUAL' });
}
