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

describe('live projections of one process', () => {
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

  /** They lead from the start, and stand at the head of the log. */
  async function lead(...projections: readonly Projection[]): Promise<void> {
    worker = new ProjectionWorker({
      pool,
      store,
      projections,
      onError: (error) => errors.push(error),
      onApplied: (batch) => applied.push(batch),
      retryMs: 20,
    });
    await worker.start();
    const isAboard = ({ name }: Projection): boolean => applied.some(({ projection }) => projection === name);
    for (let count = 0; !projections.every(isAboard); count += 1) {
      await append({ type: 'NoteWritten', id: `start ${count}`, author: 'ann', text: '' });
      for (const projection of projections) await caughtUp(pool, projection, store);
    }
    applied.length = 0;
  }

  const append = async (...notes: readonly NoteEvent[]): Promise<void> => {
    await store.append(notes.map(appendOf));
  };

  const written = (id: string): NoteEvent => ({ type: 'NoteWritten', id, author: 'ann', text: id });

  it('move and write in one transaction, which says so in one message', async () => {
    const both = [notesProjection({ name: 'left' }), notesProjection({ name: 'right' })];
    await lead(...both);
    const listener = await pool.connect();
    const heard: string[] = [];
    listener.on('notification', ({ payload }) => heard.push(payload ?? ''));
    await listener.query(`listen ${PROJECTION_CHANNEL}`);
    await append(written('one'));
    const [left, right] = await Promise.all(both.map((projection) => caughtUp(pool, projection, store)));
    await eventually(
      async () => {
        await listener.query('select 1');
        return heard;
      },
      (messages) => messages.length > 0,
    );
    listener.release(true);
    expect(heard.map((message) => message.split(',').sort())).toEqual([
      [`left:${left?.position}`, `right:${right?.position}`],
    ]);
    const { rows } = await pool.query<{ left: string; right: string }>(
      `select l.xmin::text as left, r.xmin::text as right from read.left__g1 l join read.right__g1 r using (id) where id = 'one'`,
    );
    expect(rows).toEqual([{ left: rows[0]?.left, right: rows[0]?.left }]);
  });

  it('go on without the one that cannot digest an event, which stops there by itself', async () => {
    const good = notesProjection({ name: 'good' });
    const bad = notesProjection({
      name: 'bad',
      refuse(note) {
        if ('id' in note && note.id === 'poison') throw new TypeError('not this one');
      },
    });
    await lead(good, bad);
    await append(written('before'), written('poison'), written('after'));
    await caughtUp(pool, good, store);
    const stopped = await eventually(
      () => findGeneration(pool, 'bad', 1),
      (row) => row?.error !== null,
    );
    expect(stopped?.error).toMatchObject({ ordinal: (stopped?.ordinal ?? 0) + 1, message: 'not this one' });
    // What came before it was applied.
    expect((await pool.query(`select 1 from read.bad where id = 'before'`)).rowCount).toBe(1);
    expect(await liveHash(pool, good, store)).toBe(await replay(pool, good, await allEvents(store), [2]));
  });

  it('go on without the one whose statement the database refuses, whichever sent it first', async () => {
    let isRefusing = false;
    const good = notesProjection({ name: 'a_good' });
    const bad = notesProjection({
      name: 'bad',
      onBatchEnd: async (sql) => {
        if (isRefusing) await sql(`select 1 / 0`);
      },
    });
    const last = notesProjection({ name: 'last' });
    await lead(good, bad, last);
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

  it('do not wait for the one whose row somebody holds', async () => {
    const [held, free] = [notesProjection({ name: 'held' }), notesProjection({ name: 'free' })];
    await lead(held, free);
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

  it('are apart where one has lost its lease: it writes nothing, and the others do', async () => {
    const [lost, kept] = [notesProjection({ name: 'lost' }), notesProjection({ name: 'kept' })];
    await lead(lost, kept);
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

  it('gather what nobody waits for', async () => {
    const [awaited, lingering] = [
      notesProjection({ name: 'awaited' }),
      { ...notesProjection({ name: 'lingering' }), lingers: true },
    ];
    await lead(awaited, lingering);
    for (let count = 0; count < 40; count += 1) {
      await append(written(`note ${count}`));
      await caughtUp(pool, awaited, store);
    }
    await caughtUp(pool, lingering, store);
    const batchesOf = (name: string): number =>
      applied.filter(({ projection }) => projection === name).length;
    expect(batchesOf('lingering')).toBeLessThan(batchesOf('awaited'));
  });

  it('let others have their turn while much is gathered, however many of them fold at once', async () => {
    let [folds, mostInATurn] = [0, 0];
    const foldForAMillisecond = (): void => {
      folds += 1;
      mostInATurn = Math.max(mostInATurn, folds);
      clock.now += 1;
    };
    const lingering = Array.from({ length: 8 }, (_, index) => ({
      ...notesProjection({ name: `lingering_${index}`, refuse: foldForAMillisecond }),
      lingers: true,
    }));
    // Time passes by folds alone, however busy the machine is.
    const clock = { now: performance.now() };
    const clockOfFolds = jest.spyOn(performance, 'now').mockImplementation(() => clock.now);
    try {
      await lead(...lingering);
      const done = new AbortController();
      const turns = (async () => {
        while (!done.signal.aborted) {
          await new Promise(setImmediate);
          folds = 0;
        }
      })();
      mostInATurn = 0;
      await append(...Array.from({ length: 25 }, (_, count) => written(`note ${count}`)));
      for (const projection of lingering) await caughtUp(pool, projection, store);
      done.abort();
      await turns;
    } finally {
      clockOfFolds.mockRestore();
    }
    // A turn is five milliseconds, and a fold takes one; each of the others takes a step before it sees that the turn is over.
    // Two turns may pass between two looks of this test. If turns were not shared, each projection would fold five times in one.
    expect(mostInATurn).toBeGreaterThan(0);
    expect(mostInATurn).toBeLessThanOrEqual(2 * (5 + lingering.length + 2));
  });
});
