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

/** A server that is not there, until it is. */
class AwayStore extends InMemoryEventStore implements EventStore {
  isAway = false;
  refused = 0;

  override async head(): Promise<Position | undefined> {
    this.refuse();
    return super.head();
  }

  override async readAll(options: ReadAllOptions): Promise<RecordedEvent[]> {
    this.refuse();
    return super.readAll(options);
  }

  override async readStream(streamId: string, options?: ReadStreamOptions): Promise<RecordedEvent[]> {
    this.refuse();
    return super.readStream(streamId, options);
  }

  override async *subscribe(options: SubscribeOptions): AsyncGenerator<readonly RecordedEvent[]> {
    this.refuse();
    yield* super.subscribe(options);
  }

  private refuse(): void {
    if (!this.isAway) return;
    this.refused += 1;
    throw new EventStoreUnavailableError('connect ECONNREFUSED');
  }
}

describe('a log that is away at the start', () => {
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

  it('keeps no worker from starting, which follows as soon as it is back', async () => {
    const store = new AwayStore();
    await store.append(randomNotes(20).map(appendOf));
    const former = await work(store, []);
    await liveHash(pool, notes, store);
    await former.stop();
    store.isAway = true;
    const errors: unknown[] = [];
    const worker = await work(store, errors);
    stopping.push(() => worker.stop());
    await eventually(
      () => Promise.resolve(store.refused),
      (refused) => refused > 5,
    );
    expect(errors.every((error) => error instanceof EventStoreUnavailableError)).toBe(true);
    store.isAway = false;
    await store.append(randomNotes(20).map(appendOf));
    const hash = await liveHash(pool, notes, store);
    expect(hash).toBe(await replay(pool, notes, await allEvents(store), [100]));
  });

  it('keeps no reactor from starting, and each has its place when it is back', async () => {
    const store = new AwayStore();
    await store.append(randomNotes(5).map(appendOf));
    store.isAway = true;
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
    // The first one alone: the others would ask a server that is away, one after the other.
    expect(store.refused).toBe(1);
    store.isAway = false;
    await eventually(
      async () => (await pool.query('select from state.reactors')).rowCount,
      (placed) => placed === 2,
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
