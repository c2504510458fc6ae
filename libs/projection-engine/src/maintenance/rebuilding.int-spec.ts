import { describe, expect, it } from '@jest/globals';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import { eventually, historySeed, SeededRandom } from '@nimo/testing';
import { liveHash, maintainerOf } from '../testing.js';
import { listGenerations } from '../generations/generations.js';
import { prepareProjections } from '../generations/prepare-projections.js';
import { type PassProgress, ProjectionMaintenance } from './projection-maintenance.js';
import { projectionStatus } from './projection-status.js';
import { maintainedNotes, notes } from '../testing/maintained-notes.fixture.js';
import { appendOf, notesProjection } from '../testing/notes.fixture.js';

describe('rebuilding a projection while it serves', () => {
  const {
    desk,
    append,
    cancelBehind,
    errors,
    generations,
    replayed,
    start,
    status,
    statuses,
    switchesTold,
    work,
    workUpTo,
  } = maintainedNotes();

  it('rebuilds during live writes, while readers read, and none of them sees a gap', async () => {
    await desk.store.append([appendOf({ type: 'NoteWritten', id: 'always', author: 'ann', text: 'there' })]);
    await liveHash(desk.pool, notes, desk.store);
    await desk.worker.stop();
    await start([notes], {});
    const over = new AbortController();
    let reads = 0;
    const read = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const { rowCount } = await desk.pool.query(`select author from read.notes where id = 'always'`);
        expect(rowCount).toBe(1);
        reads += 1;
      }
    };
    const write = async (): Promise<void> => {
      while (!over.signal.aborted) {
        await append(5);
        await desk.pool.query('select 1');
      }
    };
    const crowd = Promise.all([read(), read(), write()]);
    try {
      for (let round = 0; round < 3; round += 1)
        expect(await desk.maintenance.rebuild('notes')).toBe('switched');
    } finally {
      over.abort();
      await crowd;
    }
    expect(reads).toBeGreaterThan(0);
    expect(await liveHash(desk.pool, notes, desk.store)).toBe(await replayed());
  });

  it('counts as caught up with a head that it has passed meanwhile, as by the event that tells of its switch', async () => {
    const before = await desk.store.head();
    await desk.maintenance.rebuild('notes');
    await eventually(switchesTold, (told) => told.length > 0);
    await liveHash(desk.pool, notes, desk.store);
    expect(await liveHash(desk.pool, notes, { head: async () => before })).toBe(await replayed());
  });

  it('keeps one former generation, and drops the tables of older ones', async () => {
    await desk.maintenance.rebuild('notes');
    await desk.maintenance.rebuild('notes');
    expect(await statuses()).toEqual(['2 former', '3 live']);
    const { rows } = await desk.pool.query<{ tablename: string }>(
      `select tablename from pg_tables where schemaname = 'read' and tablename like 'notes\\_\\_g%' order by 1`,
    );
    expect(rows.map(({ tablename }) => tablename)).toEqual(['notes__g2', 'notes__g3']);
    const { rows: indexes } = await desk.pool.query(
      `select 1 from pg_indexes where indexname = 'notes_author_g3'`,
    );
    expect(indexes).toHaveLength(1);
  });

  it('tells how far it is, how fast and how long it will take', async () => {
    await desk.worker.stop();
    const { open } = await workUpTo(5);
    await desk.maintainer.rebuild('notes');
    const { rebuild } = await eventually(status, (seen) => (seen.rebuild?.done ?? 0) > 0);
    expect(rebuild).toMatchObject({ generation: 2, total: 301, isHeld: false, isReady: false });
    expect(rebuild?.eventsPerSecond).toBeGreaterThan(0);
    expect(rebuild?.secondsLeft).toBeGreaterThan(0);
    const reports: PassProgress[] = [];
    open();
    expect(await desk.maintenance.watchRebuild('notes', { onProgress: (seen) => reports.push(seen) })).toBe(
      'switched',
    );
    const done = reports.map((report) => report.done);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    // It has yet to pass the event that tells of its own switch.
    expect(await eventually(status, ({ state }) => state === 'FOLLOWING')).toMatchObject({
      lagEvents: 0,
      lagMs: 0,
      rebuild: null,
    });
  });

  it('tells how fast it is after hours in which nothing happened, and goes on', async () => {
    const quiet = (updated: string, leased: string) =>
      desk.pool.query(
        `update read.projection_generations set updated_at = now() - $1::interval, leased_at = now() - $2::interval, rate = 3`,
        [updated, leased],
      );
    for (const [updated, leased] of [
      ['0 h', '9 h'],
      ['9 h', '10 h'],
    ] as const) {
      await quiet(updated, leased);
      expect((await status()).state).toBe('FOLLOWING');
    }
    await append(5);
    expect(await liveHash(desk.pool, notes, desk.store)).toBe(await replayed());
    expect(errors).toEqual([]);
  });

  it('tells the lag in events and in time', async () => {
    await desk.worker.stop();
    expect(await status()).toMatchObject({ state: 'WAITING', lagEvents: 0 });
    const recordedAt = '2026-01-01T08:00:00.000Z';
    const late = appendOf({ type: 'SomethingElse' });
    await desk.store.append([
      { ...late, events: late.events.map((event) => ({ ...event, metadata: { recordedAt } })) },
    ]);
    await append(2);
    const now = (): number => Date.parse(recordedAt) + 5_000;
    const { pool, store } = desk;
    expect(await projectionStatus({ pool, store, projections: [notes], now })).toMatchObject([
      { lagEvents: 3, lagMs: 5_000 },
    ]);
  });

  it('goes on in another worker where one was interrupted', async () => {
    await desk.worker.stop();
    const { open, worker: first } = await workUpTo(5);
    await desk.maintainer.rebuild('notes');
    const before = await eventually(generations, ([, building]) => (building?.ordinal ?? 0) >= 60);
    open();
    await first.stop();
    const [, building] = await generations();
    if (building?.status === 'building')
      expect(building.ordinal).toBeGreaterThanOrEqual(before[1]?.ordinal ?? 0);
    await work(notes);
    expect(await desk.maintenance.watchRebuild('notes')).toBe('switched');
    expect((await statuses()).slice(0, 2)).toEqual(['1 former', '2 live']);
    expect(await liveHash(desk.pool, notes, desk.store)).toBe(await replayed());
  });

  it('comes to the same rows when its connections die again and again between fold and commit', async () => {
    await desk.worker.stop();
    const chance = new SeededRandom(historySeed());
    let kills = 8;
    await work(
      notesProjection({
        onBatchEnd: async (sql) => {
          if (kills > 0 && chance.isTrue(0.4)) {
            kills -= 1;
            await sql('select pg_terminate_backend(pg_backend_pid())');
          }
        },
      }),
    );
    expect(await desk.maintenance.rebuild('notes')).toBe('switched');
    expect(await liveHash(desk.pool, notes, desk.store)).toBe(await replayed());
  });

  it('drops everything of a rebuild that is cancelled', async () => {
    await desk.worker.stop();
    const { open } = await workUpTo(5);
    await desk.maintainer.rebuild('notes');
    await eventually(generations, ([, building]) => (building?.ordinal ?? 0) > 0);
    const watching = desk.maintenance.watchRebuild('notes');
    await eventually(status, ({ rebuild }) => rebuild !== null);
    await cancelBehind(open);
    expect(await watching).toBe('cancelled');
    expect(await statuses()).toEqual(['1 live']);
    const { rows } = await desk.pool.query(
      `select 1 from pg_tables where schemaname = 'read' and tablename = 'notes__g2'`,
    );
    expect(rows).toEqual([]);
    expect(await desk.maintenance.rebuild('notes')).toBe('switched');
  });

  it('holds what it built, keeps it up to date, and switches when it is told', async () => {
    await desk.maintainer.rebuild('notes', true);
    expect(await desk.maintenance.watchRebuild('notes')).toBe('held');
    await append(40);
    const held = await eventually(
      generations,
      ([live, next]) => live?.ordinal === 341 && next?.ordinal === 341,
    );
    expect(held.map(({ status: is }) => is)).toEqual(['live', 'building']);
    await desk.maintainer.switchTo('notes', 2);
    expect(await eventually(statuses, (seen) => seen.includes('2 live'))).toEqual(['1 former', '2 live']);
    expect(await liveHash(desk.pool, notes, desk.store)).toBe(await replayed());
  });

  it('goes back to the former generation, which first catches up', async () => {
    await desk.maintenance.rebuild('notes');
    await append(50);
    await liveHash(desk.pool, notes, desk.store);
    await desk.maintainer.switchTo('notes', 1);
    expect(await desk.maintenance.watchRebuild('notes')).toBe('switched');
    expect(await statuses()).toEqual(['1 live', '2 former']);
    await append(10);
    expect(await liveHash(desk.pool, notes, desk.store)).toBe(await replayed());
  });

  it('keeps the former generation when its way back is cancelled', async () => {
    await desk.maintenance.rebuild('notes');
    await append(100);
    await liveHash(desk.pool, notes, desk.store);
    await desk.worker.stop();
    const { open } = await workUpTo(0);
    await desk.maintainer.switchTo('notes', 1);
    await eventually(status, ({ rebuild }) => rebuild?.isWayBack === true);
    await cancelBehind(open);
    expect(await statuses()).toEqual(['1 former', '2 live']);
    await desk.maintainer.switchTo('notes', 1);
    expect(await eventually(statuses, (seen) => seen.includes('1 live'))).toEqual(['1 live', '2 former']);
  });

  it('does not go to a generation that does not exist or that other code made', async () => {
    await expect(desk.maintainer.switchTo('notes', 9)).rejects.toThrow('Generation 9');
    await desk.maintenance.rebuild('notes');
    const newer = new ProjectionMaintenance({
      pool: desk.pool,
      store: desk.store,
      projections: [notesProjection({ version: 2 })],
    });
    await expect(maintainerOf(newer).switchTo('notes', 1)).rejects.toThrow('Generation 1');
  });

  it('reads the log once for all that a worker builds', async () => {
    const others = ['a', 'b', 'c'].map((name) => notesProjection({ name }));
    const names = ['a', 'b', 'c', 'notes'];
    const all = new ProjectionMaintenance({
      pool: desk.pool,
      store: desk.store,
      projections: [notes, ...others],
      lookMs: 5,
    });
    const rows = () => listGenerations(desk.pool, names);
    await desk.worker.stop();
    const first = await work(notes, ...others);
    await eventually(rows, (seen) => seen.every(({ ordinal, indexed }) => ordinal === 300 && indexed));
    await first.stop();
    for (const name of names) await maintainerOf(all).rebuild(name);

    const building = async () => (await rows()).filter(({ status: is }) => is === 'building');
    let read = 0;
    desk.store.readAll = async (options) => {
      // Nobody is far ahead when the last one comes.
      await eventually(building, (seen) => seen.every(({ isLed }) => isLed) || read > 0);
      const page = await InMemoryEventStore.prototype.readAll.call(desk.store, options);
      read += page.length;
      return page;
    };
    await work(notes, ...others);
    const reports: PassProgress[] = [];
    const ends = await all.watchRebuilds(names, { onProgress: (seen) => reports.push(seen) });
    expect(ends).toEqual(names.map((name) => ({ name, outcome: 'switched' })));
    expect(reports.every(({ of, total }) => of === 4 && total >= 300)).toBe(true);
    expect(read).toBeLessThan(3 * 300);
  });

  it('tells of one that stops, and looks on at the others', async () => {
    await desk.worker.stop();
    const bad = notesProjection({
      name: 'bad',
      refuse: () => {
        throw new Error('indigestible');
      },
    });
    const both = new ProjectionMaintenance({
      pool: desk.pool,
      store: desk.store,
      projections: [notes, bad],
      lookMs: 5,
    });
    await prepareProjections(desk.pool, desk.store, [bad]);
    await desk.pool.query(
      `update read.projection_generations set position = $1, ordinal = 300 where name = 'bad'`,
      [await desk.store.head()],
    );
    for (const name of ['bad', 'notes']) await maintainerOf(both).rebuild(name);
    await work(notes, bad);
    expect(await both.watchRebuilds(['bad', 'notes'])).toMatchObject([
      {
        name: 'bad',
        outcome: 'stopped',
        error: expect.stringMatching(/^bad:2 stopped at event .*: indigestible$/),
      },
      { name: 'notes', outcome: 'switched' },
    ]);
  });
});
