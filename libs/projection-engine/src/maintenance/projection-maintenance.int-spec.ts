import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { type ActMetadata, actsStream } from '../generations/acts.js';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import type { Pool } from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../../test/postgres.js';
import type { Projection } from '../projection.js';
import { allEvents, eventually, liveHash, maintainerOf, replay } from '../testing.js';
import { listGenerations, prepareProjections } from '../generations/generations.js';
import { type PassProgress, ProjectionMaintenance } from './projection-maintenance.js';
import type { ProjectionStatus, WorkProgress } from './projection-status.js';
import { ProjectionWorker } from '../worker/projection-worker.js';
import { exchangeTable, meddledBefore } from '../testing/meddled-pool.fixture.js';
import { appendOf, notesProjection, randomNotes } from '../testing/notes.fixture.js';

describe('maintaining a projection while it serves', () => {
  const notes = notesProjection();
  let database: TestDatabase;
  let pool: Pool;
  let store: InMemoryEventStore;
  let worker: ProjectionWorker;
  let maintenance: ProjectionMaintenance;
  let maintainer: ReturnType<typeof maintainerOf>;
  const errors: unknown[] = [];
  const workers: ProjectionWorker[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
    pool = database.pool();
    store = new InMemoryEventStore();
    errors.length = 0;
    maintenance = new ProjectionMaintenance({ pool, store, projections: [notes] });
    maintainer = maintainerOf(maintenance);
    await append(300);
    worker = await work(notes);
    await liveHash(pool, notes, store);
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((running) => running.stop()));
    await database.drop();
  });

  async function work(projection: Projection, ...others: readonly Projection[]): Promise<ProjectionWorker> {
    // Every page is flushed.
    return start([projection, ...others], { pageSize: 20, buildBytes: 1 });
  }

  async function start(
    projections: readonly Projection[],
    pages: { readonly pageSize?: number; readonly buildBytes?: number; readonly pool?: Pool },
  ): Promise<ProjectionWorker> {
    const running = new ProjectionWorker({
      pool,
      store,
      projections,
      onError: (error) => errors.push(error),
      retryMs: 20,
      ...pages,
    });
    workers.push(running);
    await running.start();
    return running;
  }

  /** A worker of the same code that goes no further than some batches until its gate opens. */
  async function workUpTo(
    batches: number,
  ): Promise<{ readonly open: () => void; readonly worker: ProjectionWorker }> {
    let open = (): void => undefined;
    const gate = new Promise<void>((resolve) => (open = resolve));
    let seen = 0;
    const gated = notesProjection({
      onBatchEnd: async () => {
        seen += 1;
        if (seen > batches) await gate;
      },
    });
    return { open, worker: await work(gated) };
  }

  const isBuilding = async (): Promise<boolean> =>
    (await generations()).some(({ status: is }) => is === 'building');
  /** For a row that a transaction has changed and not committed. */
  async function isSomebodyWaiting(): Promise<boolean> {
    const { rowCount } = await pool.query(
      `select 1 from pg_stat_activity where datname = current_database() and wait_event = 'transactionid'`,
    );
    return rowCount !== 0;
  }

  /** Opens the gate once the cancellation had its effect, or is next to the batch behind the gate: before, the switch may come first. */
  async function cancelBehind(open: () => void): Promise<void> {
    const opening = eventually(
      async () => !(await isBuilding()) || (await isSomebodyWaiting()),
      (isCancelling) => isCancelling,
    ).finally(open);
    await Promise.all([maintainer.cancel('notes'), opening]);
  }

  async function append(count: number): Promise<void> {
    await store.append(randomNotes(count).map(appendOf));
  }

  const generations = () => listGenerations(pool, ['notes']);
  async function statuses(): Promise<string[]> {
    return (await generations()).map(({ generation, status }) => `${generation} ${status}`);
  }
  const status = (): Promise<ProjectionStatus> => maintenance.status('notes');
  const acts = async (): Promise<string[]> =>
    (await store.readStream(actsStream('notes'))).map(({ type }) => type);
  const replayed = async (): Promise<string> => replay(pool, notes, await allEvents(store), [100]);

  it('rebuilds during live writes, while readers read, and none of them sees a gap', async () => {
    await store.append([appendOf({ type: 'NoteWritten', id: 'always', author: 'ann', text: 'there' })]);
    await liveHash(pool, notes, store);
    await worker.stop();
    await start([notes], {});
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
      for (let round = 0; round < 3; round += 1) expect(await maintenance.rebuild('notes')).toBe('switched');
    } finally {
      over.abort();
      await crowd;
    }
    expect(reads).toBeGreaterThan(0);
    expect(await liveHash(pool, notes, store)).toBe(await replayed());
  }, 60_000);

  it('counts as caught up with a head that it has passed meanwhile, as by the event that tells of its switch', async () => {
    const before = await store.head();
    await maintenance.rebuild('notes');
    await eventually(switchesTold, (told) => told.length > 0);
    await liveHash(pool, notes, store);
    expect(await liveHash(pool, notes, { head: async () => before })).toBe(await replayed());
  });

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
    await worker.stop();
    const { open } = await workUpTo(5);
    await maintainer.rebuild('notes');
    const { rebuild } = await eventually(status, (seen) => (seen.rebuild?.done ?? 0) > 0);
    expect(rebuild).toMatchObject({ generation: 2, total: 301, isHeld: false, isReady: false });
    expect(rebuild?.eventsPerSecond).toBeGreaterThan(0);
    expect(rebuild?.secondsLeft).toBeGreaterThan(0);
    const reports: WorkProgress[] = [];
    open();
    expect(await maintenance.watchRebuild('notes', { onProgress: (seen) => reports.push(seen) })).toBe(
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

  it('tells the lag in events and in time', async () => {
    await worker.stop();
    expect(await status()).toMatchObject({ state: 'WAITING', lagEvents: 0 });
    const recordedAt = new Date(Date.now() - 5_000).toISOString();
    const late = appendOf({ type: 'SomethingElse' });
    await store.append([
      { ...late, events: late.events.map((event) => ({ ...event, metadata: { recordedAt } })) },
    ]);
    await append(2);
    const { lagEvents, lagMs } = await status();
    expect(lagEvents).toBe(3);
    expect(lagMs).toBeGreaterThanOrEqual(5_000);
    expect(lagMs).toBeLessThan(60_000);
  });

  it('goes on in another worker where one was interrupted', async () => {
    await worker.stop();
    const { open, worker: first } = await workUpTo(5);
    await maintainer.rebuild('notes');
    const before = await eventually(generations, ([, building]) => (building?.ordinal ?? 0) >= 60);
    open();
    await first.stop();
    const [, building] = await generations();
    if (building?.status === 'building')
      expect(building.ordinal).toBeGreaterThanOrEqual(before[1]?.ordinal ?? 0);
    await work(notes);
    expect(await maintenance.watchRebuild('notes')).toBe('switched');
    expect((await statuses()).slice(0, 2)).toEqual(['1 former', '2 live']);
    expect(await liveHash(pool, notes, store)).toBe(await replayed());
  });

  it('comes to the same rows when its connections die again and again between fold and commit', async () => {
    await worker.stop();
    let kills = 8;
    await work(
      notesProjection({
        onBatchEnd: async (sql) => {
          if (kills > 0 && Math.random() < 0.4) {
            kills -= 1;
            await sql('select pg_terminate_backend(pg_backend_pid())');
          }
        },
      }),
    );
    expect(await maintenance.rebuild('notes')).toBe('switched');
    expect(await liveHash(pool, notes, store)).toBe(await replayed());
  });

  it('drops everything of a rebuild that is cancelled', async () => {
    await worker.stop();
    const { open } = await workUpTo(5);
    await maintainer.rebuild('notes');
    await eventually(generations, ([, building]) => (building?.ordinal ?? 0) > 0);
    const watching = maintenance.watchRebuild('notes');
    await eventually(status, ({ rebuild }) => rebuild !== null);
    await cancelBehind(open);
    expect(await watching).toBe('cancelled');
    expect(await statuses()).toEqual(['1 live']);
    const { rows } = await pool.query(
      `select 1 from pg_tables where schemaname = 'read' and tablename = 'notes__g2'`,
    );
    expect(rows).toEqual([]);
    expect(await maintenance.rebuild('notes')).toBe('switched');
  });

  it('holds what it built, keeps it up to date, and switches when it is told', async () => {
    await maintainer.rebuild('notes', true);
    expect(await maintenance.watchRebuild('notes')).toBe('held');
    await append(40);
    const held = await eventually(
      generations,
      ([live, next]) => live?.ordinal === 341 && next?.ordinal === 341,
    );
    expect(held.map(({ status: is }) => is)).toEqual(['live', 'building']);
    await maintainer.switchTo('notes', 2);
    expect(await eventually(statuses, (seen) => seen.includes('2 live'))).toEqual(['1 former', '2 live']);
    expect(await liveHash(pool, notes, store)).toBe(await replayed());
  });

  it('goes back to the former generation, which first catches up', async () => {
    await maintenance.rebuild('notes');
    await append(50);
    await liveHash(pool, notes, store);
    await maintainer.switchTo('notes', 1);
    expect(await maintenance.watchRebuild('notes')).toBe('switched');
    expect(await statuses()).toEqual(['1 live', '2 former']);
    await append(10);
    expect(await liveHash(pool, notes, store)).toBe(await replayed());
  });

  it('keeps the former generation when its way back is cancelled', async () => {
    await maintenance.rebuild('notes');
    await append(100);
    await liveHash(pool, notes, store);
    await worker.stop();
    const { open } = await workUpTo(0);
    await maintainer.switchTo('notes', 1);
    await eventually(status, ({ rebuild }) => rebuild?.isWayBack === true);
    await cancelBehind(open);
    expect(await statuses()).toEqual(['1 former', '2 live']);
    await maintainer.switchTo('notes', 1);
    expect(await eventually(statuses, (seen) => seen.includes('1 live'))).toEqual(['1 live', '2 former']);
  });

  it('does not go to a generation that does not exist or that other code made', async () => {
    await expect(maintainer.switchTo('notes', 9)).rejects.toThrow('Generation 9');
    await maintenance.rebuild('notes');
    const newer = new ProjectionMaintenance({ pool, store, projections: [notesProjection({ version: 2 })] });
    await expect(maintainerOf(newer).switchTo('notes', 1)).rejects.toThrow('Generation 1');
  });

  it('verifies the live rows against the log, and notices a row that is not as it should be', async () => {
    expect(await maintenance.verify('notes')).toMatchObject({ outcome: 'EQUAL', ordinal: 301 });
    await pool.query(
      `update read.notes__g1 set edits = edits + 1 where id = (select min(id) from read.notes__g1)`,
    );
    expect(await maintenance.verify('notes')).toMatchObject({ outcome: 'DIFFERENT' });
    expect(await statuses()).toEqual(['1 live']);
    expect(await acts()).toEqual([
      'ProjectionVerificationStarted',
      'ProjectionVerificationFinished',
      'ProjectionVerificationStarted',
      'ProjectionVerificationFinished',
    ]);
    expect((await status()).lastVerification).toMatchObject({ outcome: 'DIFFERENT' });
  });

  it('goes on with a verification that was interrupted, and compares as of the moment when it began', async () => {
    await worker.stop();
    const { open, worker: first } = await workUpTo(5);
    await maintainer.verify('notes');
    await eventually(status, ({ verification }) => (verification?.done ?? 0) >= 60);
    open();
    await first.stop();
    await append(50);
    await work(notes);
    const { lastVerification } = await eventually(status, ({ verification }) => verification === null);
    expect(lastVerification?.outcome).toBe('EQUAL');
    expect(lastVerification?.ordinal).toBeLessThanOrEqual(301);
    expect(await acts()).toEqual(['ProjectionVerificationStarted', 'ProjectionVerificationFinished']);
  });

  it('verifies rows that somebody puts into another table just then, as new rules do, without a false alarm', async () => {
    await worker.stop();
    const attempts: string[] = [];
    const meddling = meddledBefore(pool, 'declare canonical_rows', async () => {
      if (attempts.length > 0) return;
      attempts.push(await exchangeTable(pool, 'read.notes__g1'));
    });
    await start([notes], { pageSize: 20, pool: meddling });
    expect(await maintenance.verify('notes')).toMatchObject({ outcome: 'EQUAL' });
    expect(attempts).toEqual(['locked out']);
    expect(await exchangeTable(pool, 'read.notes__g1')).toBe('exchanged');
  });

  it('ends a verification that is cancelled', async () => {
    await worker.stop();
    const { open } = await workUpTo(5);
    await maintainer.verify('notes');
    await eventually(status, ({ verification }) => (verification?.done ?? 0) > 0);
    const cancelling = maintainer.cancelVerification('notes');
    // Not before, or the verification may be over first.
    await eventually(acts, (seen) => seen.includes('ProjectionVerificationCancelled'));
    open();
    await cancelling;
    expect(await statuses()).toEqual(['1 live']);
    expect(await maintenance.verify('notes')).toMatchObject({ outcome: 'EQUAL' });
  });

  it('fails a verification at an event that the code cannot digest any more', async () => {
    await worker.stop();
    const allergic = notesProjection({
      refuse(event) {
        if (event.type === 'NoteEdited') throw new Error('indigestible');
      },
    });
    await work(allergic);
    expect(await maintenance.verify('notes')).toMatchObject({
      outcome: 'FAILED',
      error: expect.stringContaining('indigestible'),
    });
    expect(await statuses()).toEqual(['1 live']);
  });

  const switchesTold = async (): Promise<unknown[]> =>
    (await store.readStream(actsStream('notes')))
      .filter(({ type }) => type === 'ProjectionSwitched')
      .map(({ data, metadata }) => ({ ...(data as object), actor: (metadata as ActMetadata).actor }));

  it('tells of the switch at the end of a rebuild on behalf of who asked for it, and of an asked switch by the asking alone', async () => {
    await maintenance.rebuild('notes');
    const first = {
      projection: 'notes',
      generation: 2,
      fromGeneration: 1,
      afterRebuild: true,
      actor: { kind: 'operator' },
    };
    expect(await eventually(switchesTold, (told) => told.length > 0)).toEqual([first]);
    await maintainer.rebuild('notes', true);
    expect(await maintenance.watchRebuild('notes')).toBe('held');
    await maintainer.switchTo('notes', 3);
    await eventually(statuses, (seen) => seen.includes('3 live'));
    await maintainer.switchTo('notes', 2);
    await eventually(statuses, (seen) => seen.includes('2 live'));
    expect(await switchesTold()).toMatchObject([
      { generation: 2, afterRebuild: true },
      { generation: 3, fromGeneration: 2 },
      { generation: 2, fromGeneration: 3 },
    ]);
    expect(await acts()).toHaveLength(5);
  });

  it('tells of a switch to a new version of the code, which nobody asked for', async () => {
    await worker.stop();
    const newer = notesProjection({ version: 2 });
    await work(newer);
    expect(await eventually(switchesTold, (told) => told.length > 0)).toMatchObject([
      { generation: 2, fromGeneration: 1, actor: { kind: 'system' } },
    ]);
  });

  it('tells of a switch once where the worker died before or after it told, and does not switch again by that', async () => {
    await maintenance.rebuild('notes');
    await eventually(switchesTold, (told) => told.length > 0);
    const [rebuild] = await store.readStream(actsStream('notes'));
    const asked = { actId: rebuild?.id, correlationId: rebuild?.id, actor: { kind: 'operator' } };
    await worker.stop();
    // As it stands between the append and the row's being marked.
    await pool.query(
      `update read.projection_generations set asked = $1 where name = 'notes' and generation = 2`,
      [JSON.stringify({ ...asked, fromGeneration: 1 })],
    );
    await work(notes);
    const isTold = (): Promise<boolean> =>
      generations().then((rows) => rows.every((row) => row.asked === null));
    expect(await eventually(isTold, (told) => told)).toBe(true);
    expect(await switchesTold()).toHaveLength(1);

    // As it stands between the switch and the append: a maintainer is the first to come by, and switches back.
    await Promise.all(workers.splice(0).map((running) => running.stop()));
    await pool.query(
      `update read.projection_generations set asked = $1 where name = 'notes' and generation = 2`,
      [JSON.stringify({ ...asked, actId: randomUUID(), fromGeneration: 1 })],
    );
    await maintainer.switchTo('notes', 1);
    expect(await switchesTold()).toMatchObject([{ generation: 2 }, { generation: 2 }, { generation: 1 }]);
    await work(notes);
    expect(await eventually(statuses, (seen) => seen.includes('1 live'))).toEqual(['1 live', '2 former']);
    await maintenance.settle('notes');
    expect(await statuses()).toEqual(['1 live', '2 former']);
  });

  it('gives an act its effect where who asked died before', async () => {
    await store.append([
      {
        streamId: actsStream('notes'),
        expectedRevision: 'any',
        events: [
          {
            id: crypto.randomUUID(),
            type: 'ProjectionRebuildStarted',
            data: { projection: 'notes', hold: false },
            metadata: {},
          },
        ],
      },
    ]);
    expect(await eventually(statuses, (seen) => seen.includes('2 live'))).toEqual(['1 former', '2 live']);
  });

  it('gives each act its effect once, whoever settles it', async () => {
    await maintainer.rebuild('notes', true);
    await Promise.all(Array.from({ length: 8 }, () => maintenance.settle('notes')));
    const other = await work(notes);
    expect(await maintenance.watchRebuild('notes')).toBe('held');
    expect(await statuses()).toEqual(['1 live', '2 building']);
    await other.stop();
  });

  it('lets two maintainers ask for the same at once', async () => {
    const second = maintainerOf(
      new ProjectionMaintenance({ pool, store: store.connect(), projections: [notes] }),
    );
    await Promise.all([maintainer.rebuild('notes', true), second.rebuild('notes', true)]);
    expect(await maintenance.watchRebuild('notes')).toBe('held');
    await Promise.all([maintainer.switchTo('notes', 2), second.switchTo('notes', 2)]);
    expect(await eventually(statuses, (seen) => seen.includes('2 live'))).toEqual(['1 former', '2 live']);
    await Promise.all([maintainer.verify('notes'), second.verify('notes')]);
    await eventually(
      status,
      ({ verification, lastVerification }) => verification === null && lastVerification !== null,
    );
    expect(await statuses()).toEqual(['1 former', '2 live']);
  });

  it('reads the log once for all that a worker builds', async () => {
    const others = ['a', 'b', 'c'].map((name) => notesProjection({ name }));
    const names = ['a', 'b', 'c', 'notes'];
    const all = new ProjectionMaintenance({ pool, store, projections: [notes, ...others] });
    const rows = () => listGenerations(pool, names);
    await worker.stop();
    const first = await work(notes, ...others);
    await eventually(rows, (seen) => seen.every(({ ordinal, indexed }) => ordinal === 300 && indexed));
    await first.stop();
    for (const name of names) await maintainerOf(all).rebuild(name);

    const building = async () => (await rows()).filter(({ status: is }) => is === 'building');
    let read = 0;
    store.readAll = async (options) => {
      // Nobody is far ahead when the last one comes.
      await eventually(building, (seen) => seen.every(({ isLed }) => isLed) || read > 0);
      const page = await InMemoryEventStore.prototype.readAll.call(store, options);
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
    await worker.stop();
    const bad = notesProjection({
      name: 'bad',
      refuse: () => {
        throw new Error('indigestible');
      },
    });
    const both = new ProjectionMaintenance({ pool, store, projections: [notes, bad] });
    await prepareProjections(pool, store, [bad]);
    await pool.query(
      `update read.projection_generations set position = $1, ordinal = 300 where name = 'bad'`,
      [await store.head()],
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

describe('a bad event', () => {
  let database: TestDatabase;
  let pool: Pool;
  let store: InMemoryEventStore;
  const workers: ProjectionWorker[] = [];
  let isPoisonous = false;
  const projectionOf = (version = 1): Projection =>
    notesProjection({
      version,
      refuse(event) {
        if (isPoisonous && event.type === 'NoteWritten' && event.text === 'poison')
          throw new Error('indigestible');
      },
    });
  const bad = projectionOf();

  beforeEach(async () => {
    database = await createTestDatabase();
    pool = database.pool();
    store = new InMemoryEventStore();
    isPoisonous = true;
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((running) => running.stop()));
    await database.drop();
  });

  async function work(projection: Projection): Promise<ProjectionWorker> {
    const worker = new ProjectionWorker({
      pool,
      store,
      projections: [projection],
      onError: () => undefined,
      retryMs: 20,
    });
    workers.push(worker);
    await worker.start();
    return worker;
  }
  const maintenanceOf = (projection: Projection) =>
    new ProjectionMaintenance({ pool, store, projections: [projection] });
  const poison = appendOf({ type: 'NoteWritten', id: 'x', author: 'ann', text: 'poison' });
  const fine = appendOf({ type: 'NoteWritten', id: 'y', author: 'ann', text: 'fine' });
  const notes = async (): Promise<string[]> =>
    (await pool.query<{ id: string }>('select id from read.notes order by id')).rows.map(({ id }) => id);

  async function stopAtPoison(): Promise<void> {
    await store.append([poison, fine]);
    await work(bad);
    const { state, error } = await eventually(
      () => maintenanceOf(bad).status('notes'),
      (status) => status.state === 'STOPPED',
    );
    expect([state, error]).toMatchObject([
      'STOPPED',
      { message: 'indigestible', ordinal: 1, eventType: 'NoteWritten' },
    ]);
  }

  it('is applied once the code can digest it', async () => {
    await stopAtPoison();
    isPoisonous = false;
    await maintainerOf(maintenanceOf(bad)).retry('notes');
    await liveHash(pool, bad, store);
    expect(await notes()).toEqual(['x', 'y']);
  });

  it('is left out with a reason, which is kept and counted', async () => {
    await stopAtPoison();
    await maintainerOf(maintenanceOf(bad)).skip('notes', 'Of no use');
    await liveHash(pool, bad, store);
    expect(await notes()).toEqual(['y']);
    expect((await maintenanceOf(bad).status('notes')).skipped).toMatchObject([
      { ordinal: 1, eventType: 'NoteWritten', reason: 'Of no use' },
    ]);
  });

  it('stays left out when the read side is thrown away and made anew', async () => {
    await stopAtPoison();
    await maintainerOf(maintenanceOf(bad)).skip('notes', 'Of no use');
    const hash = await liveHash(pool, bad, store);
    await Promise.all(workers.splice(0).map((running) => running.stop()));
    await pool.query('drop schema read cascade');
    await work(bad);
    expect(await liveHash(pool, bad, store)).toBe(hash);
    expect(await notes()).toEqual(['y']);
    expect(await maintenanceOf(bad).verify('notes')).toMatchObject({ outcome: 'EQUAL' });
    expect(await maintenanceOf(bad).rebuild('notes')).toBe('switched');
    expect(await notes()).toEqual(['y']);
  });

  it('is tried again by later code', async () => {
    await stopAtPoison();
    await maintainerOf(maintenanceOf(bad)).skip('notes', 'Of no use');
    await liveHash(pool, bad, store);
    isPoisonous = false;
    const repaired = projectionOf(2);
    await work(repaired);
    await eventually(
      () => maintenanceOf(repaired).status('notes'),
      ({ live }) => live?.version === 2,
    );
    expect(await notes()).toEqual(['x', 'y']);
    expect((await maintenanceOf(repaired).status('notes')).skipped).toEqual([]);
  });

  it('stops a rebuild only, where the live generation digested it', async () => {
    isPoisonous = false;
    await store.append([poison, fine]);
    await work(bad);
    const hash = await liveHash(pool, bad, store);
    isPoisonous = true;
    const maintenance = maintenanceOf(bad);
    await expect(maintenance.rebuild('notes')).rejects.toThrow('indigestible');
    expect(
      await eventually(
        () => maintenance.status('notes'),
        ({ state }) => state === 'FOLLOWING',
      ),
    ).toMatchObject({ rebuild: { error: { ordinal: 1 } } });
    expect(await liveHash(pool, bad, store)).toBe(hash);
    isPoisonous = false;
    await maintainerOf(maintenance).retry('notes');
    expect(await maintenance.watchRebuild('notes')).toBe('switched');
    expect(await liveHash(pool, bad, store)).toBe(hash);
  });
});
