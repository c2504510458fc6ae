import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import type { Pool } from 'pg';
import { createTestDatabase, eventually, type TestDatabase } from '@nimo/testing';
import { PROJECTION_CHANNEL } from '../bookkeeping/bookkeeping.js';
import { findGeneration } from '../generations/generations.js';
import type { Projection } from '../projection.js';
import { allEvents, caughtUp, liveHash, replay } from '../testing.js';
import { appendOf, type NoteEvent, notesProjection, randomNotes } from '../testing/notes.fixture.js';
import type { AppliedBatch } from './generation-runner.js';
import { ProjectionWorker } from './projection-worker.js';

describe('live projections in one process', () => {
  let database: TestDatabase;
  let pool: Pool;
  let store: InMemoryEventStore;
  let worker: ProjectionWorker | undefined;
  const applied: AppliedBatch[] = [];
  const errors: unknown[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
    pool = database.pool();
    store = new InMemoryEventStore();
    applied.length = errors.length = 0;
  });
  afterEach(async () => {
    await worker?.stop();
    await store.close();
    await database.drop();
  });

  /** Starts a worker and waits until all projections are live at the head of the log. */
  async function start(...projections: readonly Projection[]): Promise<void> {
    worker = new ProjectionWorker({
      pool,
      store,
      projections,
      onError: (error) => errors.push(error),
      onApplied: (batch) => applied.push(batch),
      retryMs: 20,
    });
    await worker.start();
    const hasJoined = ({ name }: Projection): boolean =>
      applied.some(({ projection }) => projection === name);
    for (let count = 0; !projections.every(hasJoined); count += 1) {
      await append({ type: 'NoteWritten', id: `start ${count}`, author: 'ann', text: '' });
      for (const projection of projections) await caughtUp(pool, projection, store);
    }
    applied.length = 0;
  }

  const append = async (...notes: readonly NoteEvent[]): Promise<void> => {
    await store.append(notes.map(appendOf));
  };

  const written = (id: string): NoteEvent => ({ type: 'NoteWritten', id, author: 'ann', text: id });

  it('write in one transaction with one notification', async () => {
    const both = [notesProjection({ name: 'left' }), notesProjection({ name: 'right' })];
    await start(...both);
    const listener = await pool.connect();
    const received: string[] = [];
    listener.on('notification', ({ payload }) => received.push(payload ?? ''));
    await listener.query(`listen ${PROJECTION_CHANNEL}`);
    await append(written('one'));
    const [left, right] = await Promise.all(both.map((projection) => caughtUp(pool, projection, store)));
    await eventually(
      async () => {
        await listener.query('select 1');
        return received;
      },
      (messages) => messages.length > 0,
    );
    listener.release(true);
    expect(received.map((message) => message.split(',').sort())).toEqual([
      [`left:${left?.position}`, `right:${right?.position}`],
    ]);
    const { rows } = await pool.query<{ left: string; right: string }>(
      `select l.xmin::text as left, r.xmin::text as right from read.left__g1 l join read.right__g1 r using (id) where id = 'one'`,
    );
    expect(rows).toEqual([{ left: rows[0]?.left, right: rows[0]?.left }]);
  });

  it('continue without one that fails on an event, which stops at that event', async () => {
    const good = notesProjection({ name: 'good' });
    const bad = notesProjection({
      name: 'bad',
      refuse(note) {
        if ('id' in note && note.id === 'poison') throw new TypeError('not this one');
      },
    });
    await start(good, bad);
    await append(written('before'), written('poison'), written('after'));
    await caughtUp(pool, good, store);
    const stopped = await eventually(
      () => findGeneration(pool, 'bad', 1),
      (row) => row?.error !== null,
    );
    expect(stopped?.error).toMatchObject({ ordinal: (stopped?.ordinal ?? 0) + 1, message: 'not this one' });
    // Events before it were applied.
    expect((await pool.query(`select 1 from read.bad where id = 'before'`)).rowCount).toBe(1);
    expect(await liveHash(pool, good, store)).toBe(await replay(pool, good, await allEvents(store), [2]));
  });

  it('continue without one whose statement fails, regardless of the order', async () => {
    let isRefusing = false;
    const good = notesProjection({ name: 'a_good' });
    const bad = notesProjection({
      name: 'bad',
      onBatchEnd: async (sql) => {
        if (isRefusing) await sql(`select 1 / 0`);
      },
    });
    const last = notesProjection({ name: 'last' });
    await start(good, bad, last);
    isRefusing = true;
    await append(written('one'));
    await caughtUp(pool, good, store);
    await caughtUp(pool, last, store);
    const stopped = await eventually(
      () => findGeneration(pool, 'bad', 1),
      (row) => row?.error !== null,
    );
    expect(stopped?.error?.message).toMatch('division by zero');
    expect((await pool.query(`select 1 from read.bad where id = 'one'`)).rowCount).toBe(0);
  });

  it('do not wait for one whose row is locked', async () => {
    const [held, free] = [notesProjection({ name: 'held' }), notesProjection({ name: 'free' })];
    await start(held, free);
    const holder = await pool.connect();
    await holder.query('begin');
    await holder.query(`select 1 from read.projection_generations where name = 'held' for update`);
    await append(written('one'));
    await caughtUp(pool, free, store);
    expect((await pool.query(`select 1 from read.held where id = 'one'`)).rowCount).toBe(0);
    await holder.query('rollback');
    holder.release();
    await caughtUp(pool, held, store);
    expect((await pool.query(`select 1 from read.held where id = 'one'`)).rowCount).toBe(1);
    expect(errors).toEqual([]);
  });

  it('continue without one that has lost its lease, which writes nothing', async () => {
    const [lost, kept] = [notesProjection({ name: 'lost' }), notesProjection({ name: 'kept' })];
    await start(lost, kept);
    const epochOf = async (name: string): Promise<number> =>
      (await findGeneration(pool, name, 1))?.epoch ?? 0;
    const before = [await epochOf('lost'), await epochOf('kept')];
    await pool.query(
      `update read.projection_generations set owner = 'another', epoch = epoch + 1,
         expires_at = clock_timestamp() - interval '1 ms' where name = 'lost'`,
    );
    await append(...randomNotes(50));
    for (const projection of [lost, kept])
      expect(await liveHash(pool, projection, store)).toBe(
        await replay(pool, projection, await allEvents(store), [7]),
      );
    expect(await epochOf('kept')).toBe(before[1]);
    expect(await epochOf('lost')).toBeGreaterThan((before[0] ?? 0) + 1);
  });

  it('gather events if they linger', async () => {
    const [awaited, lingering] = [
      notesProjection({ name: 'awaited' }),
      { ...notesProjection({ name: 'lingering' }), lingers: true },
    ];
    await start(awaited, lingering);
    for (let count = 0; count < 40; count += 1) {
      await append(written(`note ${count}`));
      await caughtUp(pool, awaited, store);
    }
    await caughtUp(pool, lingering, store);
    const batchesOf = (name: string): number =>
      applied.filter(({ projection }) => projection === name).length;
    expect(batchesOf('lingering')).toBeLessThan(batchesOf('awaited'));
  });

  it('yield to other tasks during large batches, regardless of the number of projections', async () => {
    let [folds, maxInATurn] = [0, 0];
    const foldForAMillisecond = (): void => {
      folds += 1;
      maxInATurn = Math.max(maxInATurn, folds);
      clock.now += 1;
    };
    const lingering = Array.from({ length: 8 }, (_, index) => ({
      ...notesProjection({ name: `lingering_${index}`, refuse: foldForAMillisecond }),
      lingers: true,
    }));
    // Only folds advance the clock, so the test does not depend on the load of the machine.
    const clock = { now: performance.now() };
    const mockedNow = jest.spyOn(performance, 'now').mockImplementation(() => clock.now);
    try {
      await start(...lingering);
      const done = new AbortController();
      const turns = (async () => {
        while (!done.signal.aborted) {
          await new Promise(setImmediate);
          folds = 0;
        }
      })();
      maxInATurn = 0;
      await append(...Array.from({ length: 25 }, (_, count) => written(`note ${count}`)));
      for (const projection of lingering) await caughtUp(pool, projection, store);
      done.abort();
      await turns;
    } finally {
      mockedNow.mockRestore();
    }
    // A slice has 5 ms and a fold takes 1 ms; each other projection takes one more step before it sees that the slice is over. Two slices
    // may pass between two turns of this test. With slices of its own each projection would fold five times per turn.
    expect(maxInATurn).toBeGreaterThan(0);
    expect(maxInATurn).toBeLessThanOrEqual(2 * (5 + lingering.length + 2));
  });
});
