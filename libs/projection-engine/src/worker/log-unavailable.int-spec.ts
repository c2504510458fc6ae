import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type EventStore,
  EventStoreUnavailableError,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  type SubscribeOptions,
} from '@nimo/event-store';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import type { Pool } from 'pg';
import { createTestDatabase, eventually, type TestDatabase } from '@nimo/testing';
import { ReactorRunner } from '../reactors/reactor-runner.js';
import { allEvents, liveHash, replay } from '../testing.js';
import { appendOf, notesProjection, randomNotes } from '../testing/notes.fixture.js';
import { ProjectionWorker } from './projection-worker.js';

/** A store whose server can be unavailable. */
class UnavailableStore extends InMemoryEventStore implements EventStore {
  isUnavailable = false;
  failures = 0;

  override async head(): Promise<Position | undefined> {
    this.assertAvailable();
    return super.head();
  }

  override async readAll(options: ReadAllOptions): Promise<RecordedEvent[]> {
    this.assertAvailable();
    return super.readAll(options);
  }

  override async readStream(streamId: string, options?: ReadStreamOptions): Promise<RecordedEvent[]> {
    this.assertAvailable();
    return super.readStream(streamId, options);
  }

  override async *subscribe(options: SubscribeOptions): AsyncGenerator<readonly RecordedEvent[]> {
    this.assertAvailable();
    yield* super.subscribe(options);
  }

  private assertAvailable(): void {
    if (!this.isUnavailable) return;
    this.failures += 1;
    throw new EventStoreUnavailableError('connect ECONNREFUSED');
  }
}

describe('start without the log', () => {
  const notes = notesProjection();
  let database: TestDatabase;
  let pool: Pool;
  const stopping: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
    pool = database.pool();
  });
  afterEach(async () => {
    for (const stop of stopping.splice(0).toReversed()) await stop();
    await database.drop();
  });

  async function work(store: EventStore, errors: unknown[]): Promise<ProjectionWorker> {
    const worker = new ProjectionWorker({
      ...{ pool, store, projections: [notes], retryMs: 10 },
      onError: (error) => errors.push(error),
    });
    await worker.start();
    return worker;
  }

  it('succeeds for a worker, which follows the log once it is back', async () => {
    const store = new UnavailableStore();
    await store.append(randomNotes(20).map(appendOf));
    const former = await work(store, []);
    await liveHash(pool, notes, store);
    await former.stop();
    store.isUnavailable = true;
    const errors: unknown[] = [];
    const worker = await work(store, errors);
    stopping.push(() => worker.stop());
    await eventually(
      () => Promise.resolve(store.failures),
      (failures) => failures > 5,
    );
    expect(errors.every((error) => error instanceof EventStoreUnavailableError)).toBe(true);
    store.isUnavailable = false;
    await store.append(randomNotes(20).map(appendOf));
    const hash = await liveHash(pool, notes, store);
    expect(hash).toBe(await replay(pool, notes, await allEvents(store), [100]));
  });

  it('succeeds for reactors, which store their positions once it is back', async () => {
    const store = new UnavailableStore();
    await store.append(randomNotes(5).map(appendOf));
    store.isUnavailable = true;
    const handled: string[] = [];
    const errors: unknown[] = [];
    const reactors = ['one', 'two'].map((name) => ({
      name,
      types: 'all' as const,
      handle: async (_: unknown, jobId: string) => void handled.push(`${name} ${jobId}`),
    }));
    const runner = new ReactorRunner({
      ...{ pool, store, reactors, retryMs: 10 },
      onError: (error) => errors.push(error),
    });
    await runner.start();
    stopping.push(() => runner.stop());
    // Only the first one tries: each of the others would wait for the unavailable server.
    expect(store.failures).toBe(1);
    store.isUnavailable = false;
    await eventually(
      async () => (await pool.query('select from state.reactors')).rowCount,
      (stored) => stored === 2,
    );
    const appends = randomNotes(3).map(appendOf);
    await store.append(appends);
    const ids = appends.flatMap(({ events }) => events.map(({ id }) => id));
    await eventually(
      () => Promise.resolve(handled),
      (seen) => ids.every((id) => ['one', 'two'].every((name) => seen.includes(`${name} ${id}`))),
    );
    expect(handled).toHaveLength(2 * ids.length);
    expect(errors.every((error) => error instanceof EventStoreUnavailableError)).toBe(true);
  });
});
