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

describe('rebuilding a live projection', () => {
  const {
    fixture,
    append,
    cancelThenOpen,
    errors,
    generations,
    replayed,
    start,
    status,
    statuses,
    reportedSwitches,
    work,
    workUpTo,
  } = maintainedNotes();

  it('rebuilds during reads and writes without a gap for readers', async () => {
    await fixture.store.append([
      appendOf({ type: 'NoteWritten', id: 'always', author: 'ann', text: 'there' }),
    ]);
    await liveHash(fixture.pool, notes, fixture.store);
    await fixture.worker.stop();
    await start([notes], {});
    const over = new AbortController();
    let reads = 0;
    const read = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const { rowCount } = await fixture.pool.query(`select author from read.notes where id = 'always'`);
        expect(rowCount).toBe(1);
        reads += 1;
      }
    };
    const write = async (): Promise<void> => {
      while (!over.signal.aborted) {
        await append(5);
        await fixture.pool.query('select 1');
      }
    };
    const clients = Promise.all([read(), read(), write()]);
    try {
      for (let round = 0; round < 3; round += 1)
        expect(await fixture.maintenance.rebuild('notes')).toBe('switched');
    } finally {
      over.abort();
      await clients;
    }
    expect(reads).toBeGreaterThan(0);
    expect(await liveHash(fixture.pool, notes, fixture.store)).toBe(await replayed());
  });

  it('counts as caught up with a head that it has already passed', async () => {
    const before = await fixture.store.head();
    await fixture.maintenance.rebuild('notes');
    await eventually(reportedSwitches, (switches) => switches.length > 0);
    await liveHash(fixture.pool, notes, fixture.store);
    expect(await liveHash(fixture.pool, notes, { head: async () => before })).toBe(await replayed());
  });

  it('keeps one retired generation, and drops the tables of older ones', async () => {
    await fixture.maintenance.rebuild('notes');
    await fixture.maintenance.rebuild('notes');
    expect(await statuses()).toEqual(['2 former', '3 live']);
    const { rows } = await fixture.pool.query<{ tablename: string }>(
      `select tablename from pg_tables where schemaname = 'read' and tablename like 'notes\\_\\_g%' order by 1`,
    );
    expect(rows.map(({ tablename }) => tablename)).toEqual(['notes__g2', 'notes__g3']);
    const { rows: indexes } = await fixture.pool.query(
      `select 1 from pg_indexes where indexname = 'notes_author_g3'`,
    );
    expect(indexes).toHaveLength(1);
  });

  it('reports progress, rate and remaining time', async () => {
    await fixture.worker.stop();
    const { open } = await workUpTo(5);
    await fixture.maintainer.rebuild('notes');
    const { rebuild } = await eventually(status, (seen) => (seen.rebuild?.done ?? 0) > 0);
    expect(rebuild).toMatchObject({ generation: 2, total: 301, isHeld: false, isReady: false });
    expect(rebuild?.eventsPerSecond).toBeGreaterThan(0);
    expect(rebuild?.secondsLeft).toBeGreaterThan(0);
    const reports: PassProgress[] = [];
    open();
    expect(
      await fixture.maintenance.watchRebuild('notes', { onProgress: (seen) => reports.push(seen) }),
    ).toBe('switched');
    const done = reports.map((report) => report.done);
    expect(done).toEqual([...done].sort((a, b) => a - b));
    // It still has to pass the event of its own switch.
    expect(await eventually(status, ({ state }) => state === 'FOLLOWING')).toMatchObject({
      lagEvents: 0,
      lagMs: 0,
      rebuild: null,
    });
  });

  it('reports a rate after hours without events, and continues', async () => {
    const quiet = (updated: string, leased: string) =>
      fixture.pool.query(
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
    expect(await liveHash(fixture.pool, notes, fixture.store)).toBe(await replayed());
    expect(errors).toEqual([]);
  });

  it('reports the lag in events and in time', async () => {
    await fixture.worker.stop();
    expect(await status()).toMatchObject({ state: 'WAITING', lagEvents: 0 });
    const recordedAt = '2026-01-01T08:00:00.000Z';
    const late = appendOf({ type: 'SomethingElse' });
    await fixture.store.append([
      { ...late, events: late.events.map((event) => ({ ...event, metadata: { recordedAt } })) },
    ]);
    await append(2);
    const now = (): number => Date.parse(recordedAt) + 5_000;
    const { pool, store } = fixture;
    expect(await projectionStatus({ pool, store, projections: [notes], now })).toMatchObject([
      { lagEvents: 3, lagMs: 5_000 },
    ]);
  });

  it('continues in another worker after an interruption', async () => {
    await fixture.worker.stop();
    const { open, worker: first } = await workUpTo(5);
    await fixture.maintainer.rebuild('notes');
    const before = await eventually(generations, ([, building]) => (building?.ordinal ?? 0) >= 60);
    open();
    await first.stop();
    const [, building] = await generations();
    if (building?.status === 'building')
      expect(building.ordinal).toBeGreaterThanOrEqual(before[1]?.ordinal ?? 0);
    await work(notes);
    expect(await fixture.maintenance.watchRebuild('notes')).toBe('switched');
    expect((await statuses()).slice(0, 2)).toEqual(['1 former', '2 live']);
    expect(await liveHash(fixture.pool, notes, fixture.store)).toBe(await replayed());
  });

  it('gives the same rows when connections keep dying between fold and commit', async () => {
    await fixture.worker.stop();
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
    expect(await fixture.maintenance.rebuild('notes')).toBe('switched');
    expect(await liveHash(fixture.pool, notes, fixture.store)).toBe(await replayed());
  });

  it('drops all tables of a cancelled rebuild', async () => {
    await fixture.worker.stop();
    const { open } = await workUpTo(5);
    await fixture.maintainer.rebuild('notes');
    await eventually(generations, ([, building]) => (building?.ordinal ?? 0) > 0);
    const watching = fixture.maintenance.watchRebuild('notes');
    await eventually(status, ({ rebuild }) => rebuild !== null);
    await cancelThenOpen(open);
    expect(await watching).toBe('cancelled');
    expect(await statuses()).toEqual(['1 live']);
    const { rows } = await fixture.pool.query(
      `select 1 from pg_tables where schemaname = 'read' and tablename = 'notes__g2'`,
    );
    expect(rows).toEqual([]);
    expect(await fixture.maintenance.rebuild('notes')).toBe('switched');
  });

  it('keeps a held generation up to date, and switches on command', async () => {
    await fixture.maintainer.rebuild('notes', true);
    expect(await fixture.maintenance.watchRebuild('notes')).toBe('held');
    await append(40);
    const held = await eventually(
      generations,
      ([live, next]) => live?.ordinal === 341 && next?.ordinal === 341,
    );
    expect(held.map(({ status: is }) => is)).toEqual(['live', 'building']);
    await fixture.maintainer.switchTo('notes', 2);
    expect(await eventually(statuses, (seen) => seen.includes('2 live'))).toEqual(['1 former', '2 live']);
    expect(await liveHash(fixture.pool, notes, fixture.store)).toBe(await replayed());
  });

  it('switches back to the retired generation once it has caught up', async () => {
    await fixture.maintenance.rebuild('notes');
    await append(50);
    await liveHash(fixture.pool, notes, fixture.store);
    await fixture.maintainer.switchTo('notes', 1);
    expect(await fixture.maintenance.watchRebuild('notes')).toBe('switched');
    expect(await statuses()).toEqual(['1 live', '2 former']);
    await append(10);
    expect(await liveHash(fixture.pool, notes, fixture.store)).toBe(await replayed());
  });

  it('keeps the retired generation when switching back is cancelled', async () => {
    await fixture.maintenance.rebuild('notes');
    await append(100);
    await liveHash(fixture.pool, notes, fixture.store);
    await fixture.worker.stop();
    const { open } = await workUpTo(0);
    await fixture.maintainer.switchTo('notes', 1);
    await eventually(status, ({ rebuild }) => rebuild?.isWayBack === true);
    await cancelThenOpen(open);
    expect(await statuses()).toEqual(['1 former', '2 live']);
    await fixture.maintainer.switchTo('notes', 1);
    expect(await eventually(statuses, (seen) => seen.includes('1 live'))).toEqual(['1 live', '2 former']);
  });

  it('rejects a switch to an unknown generation or one of another code version', async () => {
    await expect(fixture.maintainer.switchTo('notes', 9)).rejects.toThrow('Generation 9');
    await fixture.maintenance.rebuild('notes');
    const newer = new ProjectionMaintenance({
      pool: fixture.pool,
      store: fixture.store,
      projections: [notesProjection({ version: 2 })],
    });
    await expect(maintainerOf(newer).switchTo('notes', 1)).rejects.toThrow('Generation 1');
  });

  it('reads the log once for all rebuilds of a worker', async () => {
    const others = ['a', 'b', 'c'].map((name) => notesProjection({ name }));
    const names = ['a', 'b', 'c', 'notes'];
    const all = new ProjectionMaintenance({
      pool: fixture.pool,
      store: fixture.store,
      projections: [notes, ...others],
      pollMs: 5,
    });
    const rows = () => listGenerations(fixture.pool, names);
    await fixture.worker.stop();
    const first = await work(notes, ...others);
    await eventually(rows, (seen) => seen.every(({ ordinal, indexed }) => ordinal === 300 && indexed));
    await first.stop();
    for (const name of names) await maintainerOf(all).rebuild(name);

    const building = async () => (await rows()).filter(({ status: is }) => is === 'building');
    let read = 0;
    fixture.store.readAll = async (options) => {
      // Starts reading once all leases are held.
      await eventually(building, (seen) => seen.every(({ isLed }) => isLed) || read > 0);
      const page = await InMemoryEventStore.prototype.readAll.call(fixture.store, options);
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

  it('reports a rebuild that stops, and keeps watching the others', async () => {
    await fixture.worker.stop();
    const bad = notesProjection({
      name: 'bad',
      refuse: () => {
        throw new Error('refused');
      },
    });
    const both = new ProjectionMaintenance({
      pool: fixture.pool,
      store: fixture.store,
      projections: [notes, bad],
      pollMs: 5,
    });
    await prepareProjections(fixture.pool, fixture.store, [bad]);
    await fixture.pool.query(
      `update read.projection_generations set position = $1, ordinal = 300 where name = 'bad'`,
      [await fixture.store.head()],
    );
    for (const name of ['bad', 'notes']) await maintainerOf(both).rebuild(name);
    await work(notes, bad);
    expect(await both.watchRebuilds(['bad', 'notes'])).toMatchObject([
      {
        name: 'bad',
        outcome: 'stopped',
        error: expect.stringMatching(/^generation 2 stopped at event \d+ \(NoteWritten, .+\): refused$/),
      },
      { name: 'notes', outcome: 'switched' },
    ]);
    // As while the rate still decays.
    await fixture.pool.query(
      `update read.projection_generations
       set rate = 1e9, updated_at = clock_timestamp(), leased_at = clock_timestamp() - interval '1 hour'
       where name = 'bad' and status = 'building'`,
    );
    const { rebuild } = await both.status('bad');
    expect(rebuild?.eventsPerSecond).toBeGreaterThan(0);
    expect(rebuild?.secondsLeft).toBeNull();
  });
});
