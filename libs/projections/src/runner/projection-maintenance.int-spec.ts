import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import type { Pool } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../test/postgres.js';
import { allEvents, eventually, failTest, liveHash, replay } from '../testing.js';
import { listGenerations } from './generations.js';
import { ProjectionMaintenance, type RebuildProgress } from './projection-maintenance.js';
import { ProjectionWorker } from './projection-worker.js';
import { appendOf, notesProjection, randomNotes } from './testing/notes.fixture.js';

describe('maintaining a projection while it serves', () => {
  const notes = notesProjection();
  let database: TestDatabase;
  let pool: Pool;
  let store: InMemoryEventStore;
  let worker: ProjectionWorker;
  let maintenance: ProjectionMaintenance;

  beforeEach(async () => {
    database = await createTestDatabase();
    pool = database.pool();
    store = new InMemoryEventStore();
    const options = { pool, store, projections: [notes], onError: failTest };
    worker = new ProjectionWorker({ ...options, retryMs: 20 });
    maintenance = new ProjectionMaintenance({ ...options, pageSize: 20 });
    await append(300);
    await worker.start();
    await liveHash(pool, notes, store);
  });
  afterEach(async () => {
    await worker.stop();
    await database.drop();
  });

  async function append(count: number): Promise<void> {
    await store.append(randomNotes(count).map(appendOf));
  }

  async function statuses(): Promise<string[]> {
    return (await listGenerations(pool, ['notes'])).map(
      ({ generation, status }) => `${generation} ${status}`,
    );
  }

  it('rebuilds during live writes, while readers read, and none of them sees a gap', async () => {
    await store.append([appendOf({ type: 'NoteWritten', id: 'always', author: 'ann', text: 'there' })]);
    await liveHash(pool, notes, store);
    const over = new AbortController();
    let reads = 0;
    const read = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const { rowCount } = await pool.query(`select author from read.notes where id = 'always'`);
        expect(rowCount).toBe(1);
        reads += 1;
      }
    };
    const write = async (): Promise<void> => {
      while (!over.signal.aborted) {
        await append(5);
        await pool.query('select 1');
      }
    };
    const crowd = Promise.all([read(), read(), write()]);
    try {
      const rebuilding = new ProjectionMaintenance({ pool, store, projections: [notes], onError: failTest });
      for (let round = 0; round < 3; round += 1) expect(await rebuilding.rebuild('notes')).toBe('switched');
    } finally {
      over.abort();
      await crowd;
    }
    expect(reads).toBeGreaterThan(0);
    expect(await liveHash(pool, notes, store)).toBe(await replay(pool, notes, await allEvents(store), [100]));
  }, 60_000);

  it('keeps one former generation, and drops the tables of older ones', async () => {
    await maintenance.rebuild('notes');
    await maintenance.rebuild('notes');
    expect(await statuses()).toEqual(['2 former', '3 live']);
    const { rows } = await pool.query<{ tablename: string }>(
      `select tablename from pg_tables where schemaname = 'read' and tablename like 'notes\\_\\_g%' order by 1`,
    );
    expect(rows.map(({ tablename }) => tablename)).toEqual(['notes__g2', 'notes__g3']);
    const { rows: indexes } = await pool.query(
      `select 1 from pg_indexes where indexname = 'notes_author_g3'`,
    );
    expect(indexes).toHaveLength(1);
  });

  it('tells how far it is, how fast and how long it will take', async () => {
    const reports: RebuildProgress[] = [];
    await maintenance.rebuild('notes', { onProgress: (report) => reports.push(report) });
    const done = reports.map((report) => report.done);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    expect(reports.at(-1)).toMatchObject({ generation: 2, done: 300, total: 300, secondsLeft: 0 });
    expect(reports.at(-1)?.eventsPerSecond).toBeGreaterThan(0);
  });

  it('goes on with what was interrupted', async () => {
    await worker.stop();
    const interrupting = new AbortController();
    const outcome = await maintenance.rebuild('notes', {
      signal: interrupting.signal,
      onProgress: ({ done }) => done >= 100 && interrupting.abort(),
    });
    expect(outcome).toBe('interrupted');
    const [, begun] = await listGenerations(pool, ['notes']);
    expect(begun).toMatchObject({ generation: 2, status: 'building' });
    expect(begun?.ordinal).toBeGreaterThanOrEqual(100);
    expect(begun?.ordinal).toBeLessThan(300);
    const reports: RebuildProgress[] = [];
    expect(await maintenance.rebuild('notes', { onProgress: (report) => reports.push(report) })).toBe(
      'switched',
    );
    expect(reports[0]).toMatchObject({ generation: 2, done: begun?.ordinal });
    expect(await liveHash(pool, notes, store)).toBe(await replay(pool, notes, await allEvents(store), [100]));
  });

  it('comes to the same rows when its connections die again and again between fold and commit', async () => {
    let kills = 8;
    const fragile = notesProjection({
      onBatchEnd: async (sql) => {
        if (kills > 0 && Math.random() < 0.4) {
          kills -= 1;
          await sql('select pg_terminate_backend(pg_backend_pid())');
        }
      },
    });
    const rebuilding = new ProjectionMaintenance({
      pool,
      store,
      projections: [fragile],
      onError: failTest,
      pageSize: 20,
    });
    expect(
      await eventually(
        () => rebuilding.rebuild('notes').catch((error: unknown) => String(error)),
        (outcome) => outcome === 'switched',
      ),
    ).toBe('switched');
    expect(await liveHash(pool, notes, store)).toBe(await replay(pool, notes, await allEvents(store), [100]));
  });

  it('lets a worker go on with what was interrupted', async () => {
    const interrupting = new AbortController();
    await maintenance.rebuild('notes', {
      signal: interrupting.signal,
      onProgress: () => interrupting.abort(),
    });
    expect(await eventually(statuses, (seen) => seen.includes('2 live'))).toEqual(['1 former', '2 live']);
  });

  it('drops everything of a rebuild that is cancelled', async () => {
    await worker.stop();
    let cancelling: Promise<void> | undefined;
    const outcome = await maintenance.rebuild('notes', {
      onProgress() {
        cancelling ??= maintenance.cancelRebuild('notes');
      },
    });
    await cancelling;
    expect(outcome).toBe('cancelled');
    expect(await statuses()).toEqual(['1 live']);
    const { rows } = await pool.query(
      `select 1 from pg_tables where schemaname = 'read' and tablename = 'notes__g2'`,
    );
    expect(rows).toEqual([]);
    expect(await maintenance.rebuild('notes')).toBe('switched');
  });

  it('goes back to the former generation, which first catches up', async () => {
    await maintenance.rebuild('notes');
    await append(50);
    await liveHash(pool, notes, store);
    expect(await maintenance.switchTo('notes', 1)).toBe('switched');
    expect(await statuses()).toEqual(['1 live', '2 former']);
    await append(10);
    expect(await liveHash(pool, notes, store)).toBe(await replay(pool, notes, await allEvents(store), [100]));
  });

  it('does not go to a generation that does not exist or that other code made', async () => {
    await expect(maintenance.switchTo('notes', 9)).rejects.toBeInstanceOf(RangeError);
    const newer = new ProjectionMaintenance({
      pool,
      store,
      projections: [notesProjection({ version: 2 })],
      onError: failTest,
    });
    await expect(newer.switchTo('notes', 1)).rejects.toBeInstanceOf(RangeError);
  });

  it('verifies the live rows against the log, and notices a row that is not as it should be', async () => {
    expect(await maintenance.verify('notes')).toMatchObject({ isEqual: true });
    await pool.query(
      `update read.notes__g1 set edits = edits + 1 where id = (select min(id) from read.notes__g1)`,
    );
    expect(await maintenance.verify('notes')).toMatchObject({ isEqual: false });
    expect(await statuses()).toEqual(['1 live']);
  });

  it('keeps the old generation when the new one cannot digest an event', async () => {
    let isPoisonous = false;
    const bad = notesProjection({
      name: 'bad',
      refuse() {
        if (isPoisonous) throw new Error('indigestible');
      },
    });
    const badWorker = new ProjectionWorker({ pool, store, projections: [bad], onError: () => undefined });
    await badWorker.start();
    const hash = await liveHash(pool, bad, store);
    await badWorker.stop();
    isPoisonous = true;
    const careful = new ProjectionMaintenance({ pool, store, projections: [bad], onError: failTest });
    await expect(careful.rebuild('bad')).rejects.toThrow('indigestible');
    expect(await liveHash(pool, bad, store)).toBe(hash);
    isPoisonous = false;
    await careful.retry('bad');
    expect(await careful.rebuild('bad')).toBe('switched');
  });
});
