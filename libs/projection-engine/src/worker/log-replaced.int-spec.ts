import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { type Append, type EventStore, openEventStoreDb } from '@nimo/event-store';
import { EventStoreDbDouble, InMemoryEventStore } from '@nimo/event-store/testing';
import type { Pool } from 'pg';
import { createTestDatabase, eventually, type TestDatabase } from '@nimo/testing';
import { AheadOfLogError } from './log-head.js';
import { ProjectionMaintenance } from '../maintenance/projection-maintenance.js';
import type { ProjectionState } from '../maintenance/projection-status.js';
import { allEvents, liveHash, replay } from '../testing.js';
import { appendOf, notesProjection, randomNotes } from '../testing/notes.fixture.js';
import { ProjectionWorker } from './projection-worker.js';

/** A store whose log can be replaced. */
class ReplaceableStore implements EventStore {
  constructor(private current: InMemoryEventStore) {}

  async replaceWith(other: InMemoryEventStore): Promise<void> {
    const former = this.current;
    this.current = other;
    await former.close();
  }

  append: EventStore['append'] = (appends) => this.current.append(appends);
  readStream: EventStore['readStream'] = (streamId, options) => this.current.readStream(streamId, options);
  readStreams: EventStore['readStreams'] = (ids, from) => this.current.readStreams(ids, from);
  readAll: EventStore['readAll'] = (options) => this.current.readAll(options);
  subscribe: EventStore['subscribe'] = (options) => this.current.subscribe(options);
  countAfter: EventStore['countAfter'] = (after, atMost) => this.current.countAfter(after, atMost);
  head: EventStore['head'] = () => this.current.head();
  close: EventStore['close'] = () => this.current.close();
}

const OLDER = 100;
const READ = 300;

describe('replacement of the log by an older copy', () => {
  const notes = notesProjection();
  const appends: readonly Append[] = randomNotes(READ).map(appendOf);
  let database: TestDatabase;
  let pool: Pool;
  let log: InMemoryEventStore;
  let worker: ProjectionWorker | undefined;
  const errors: unknown[] = [];
  const closing: (() => Promise<void>)[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
    pool = database.pool();
    errors.length = 0;
    log = new InMemoryEventStore();
    await log.append(appends);
    worker = await workOn(log);
    await liveHash(pool, notes, log);
  });
  afterEach(async () => {
    await worker?.stop();
    for (const close of closing.splice(0).toReversed()) await close();
    await database.drop();
  });

  async function workOn(store: EventStore): Promise<ProjectionWorker> {
    const started = new ProjectionWorker({
      ...{ pool, store, projections: [notes], retryMs: 20, pageSize: 20 },
      onError: (error) => errors.push(error),
    });
    await started.start();
    return started;
  }

  const maintenanceOf = (store: EventStore): ProjectionMaintenance =>
    new ProjectionMaintenance({ pool, store, projections: [notes], pollMs: 5 });
  const stateOn = async (store: EventStore): Promise<ProjectionState> =>
    (await maintenanceOf(store).status('notes')).state;

  async function replaceLog(): Promise<InMemoryEventStore> {
    await worker?.stop();
    const older = new InMemoryEventStore();
    await older.append(appends.slice(0, OLDER));
    worker = await workOn(older);
    return older;
  }

  it('is detected at the start, reported once and not followed', async () => {
    expect(await stateOn(log)).toBe('FOLLOWING');
    const older = await replaceLog();
    await eventually(
      () => Promise.resolve(errors),
      (seen) => seen.length > 0,
    );
    expect(await stateOn(older)).toBe('AHEAD');
    // Beyond the checkpoint, where the replacement can no longer be detected.
    await older.append(randomNotes(READ).map(appendOf));
    await worker?.stop();
    worker = await workOn(older);
    expect(await stateOn(older)).toBe('AHEAD');
    expect((await maintenanceOf(older).status('notes')).live?.ordinal).toBe(READ);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toBeInstanceOf(AheadOfLogError);
    expect(String(errors[0])).toMatch('notes is ahead of the log: it has read 300 events');
  });

  it('is detected by a running worker', async () => {
    await worker?.stop();
    const store = new ReplaceableStore(log);
    worker = await workOn(store);
    const older = new InMemoryEventStore();
    await older.append(appends.slice(0, OLDER));
    await store.replaceWith(older);
    await eventually(
      () => stateOn(store),
      (state) => state === 'AHEAD',
    );
    await eventually(() => errors.some((error) => error instanceof AheadOfLogError));
  });

  it('is resolved by a rebuild', async () => {
    await expectRebuild(await replaceLog());
  });

  it('is resolved by a rebuild on EventStoreDB', async () => {
    const [newer, older] = [await openDouble(READ), await openDouble(OLDER)];
    await worker?.stop();
    await pool.query('drop schema read cascade');
    worker = await workOn(newer);
    await liveHash(pool, notes, newer);
    await worker.stop();
    worker = await workOn(older);
    await eventually(
      () => stateOn(older),
      (state) => state === 'AHEAD',
    );
    await expectRebuild(older);
  });

  /** Opens a store with the first `count` events. */
  async function openDouble(count: number): Promise<EventStore> {
    const double = await EventStoreDbDouble.start();
    const store = await openEventStoreDb({ connectionString: double.connectionString });
    closing.push(
      () => double.stop(),
      () => store.close(),
    );
    await store.append(appends.slice(0, count));
    return store;
  }

  async function expectRebuild(older: EventStore): Promise<void> {
    expect(await maintenanceOf(older).rebuild('notes')).toBe('switched');
    await older.append(randomNotes(20).map(appendOf));
    const hash = await liveHash(pool, notes, older);
    expect(hash).toBe(await replay(pool, notes, await allEvents(older), [100]));
    // It still has to read the event of its own switch.
    await eventually(
      () => stateOn(older),
      (state) => state === 'FOLLOWING',
    );
  }
});
