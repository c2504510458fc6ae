import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  type EventCodec,
  type ReadAllOptions,
  type RecordedEvent,
  UndecodableEventError,
  withCodec,
} from '@nimo/event-store';
import { InMemoryEventStore, waitForQueries, waitEventLoopTurns } from '@nimo/event-store/testing';
import type { Pool, PoolClient, QueryConfig, QueryResult } from 'pg';
import { createTestDatabase, eventually, type TestDatabase } from '@nimo/testing';
import type { Projection } from '../projection.js';
import { allEvents, liveHash, maintainerOf, replay } from '../testing.js';
import { listGenerations } from '../generations/generations.js';
import { prepareProjections } from '../generations/prepare-projections.js';
import { ProjectionMaintenance } from '../maintenance/projection-maintenance.js';
import { ProjectionWorker } from './projection-worker.js';
import { appendOf, type NoteEvent, notesProjection, randomNotes } from '../testing/notes.fixture.js';

describe('the projection worker', () => {
  let database: TestDatabase;
  let pool: Pool;
  let store: InMemoryEventStore;
  const workers: ProjectionWorker[] = [];
  const errors: unknown[] = [];

  beforeEach(async () => {
    database = await createTestDatabase();
    pool = database.pool();
    store = new InMemoryEventStore();
    errors.length = 0;
  });
  afterEach(async () => {
    await Promise.all(workers.splice(0).map((worker) => worker.stop()));
    await database.drop();
  });

  async function work(...projections: readonly Projection[]): Promise<ProjectionWorker> {
    const onError = (error: unknown): void => void errors.push(error);
    const worker = new ProjectionWorker({ pool, store, projections, onError, retryMs: 20 });
    workers.push(worker);
    await worker.start();
    return worker;
  }

  async function append(...notes: readonly NoteEvent[]): Promise<void> {
    await store.append(notes.map(appendOf));
  }

  /** A pool that runs `work` before each release of a lease. */
  function releasingAfter(work: () => Promise<void>): Pool {
    const query = async (statement: string | QueryConfig, values?: unknown[]): Promise<QueryResult> => {
      const text = typeof statement === 'string' ? statement : statement.text;
      if (text.includes(`set expires_at = clock_timestamp() - interval '1 ms'`)) await work();
      return pool.query(statement, values);
    };
    return Object.create(pool, {
      query: { value: query },
      connect: { value: pool.connect.bind(pool) },
    }) as Pool;
  }

  async function replayed(projection: Projection): Promise<string> {
    return replay(pool, projection, await allEvents(store), [50]);
  }

  async function ownerOf(name: string): Promise<string | null> {
    return (await listGenerations(pool, [name])).find(({ status }) => status === 'live')?.owner ?? null;
  }

  it('catches up with existing events, and follows new ones', async () => {
    const notes = notesProjection();
    await append(...randomNotes(300));
    await work(notes);
    await liveHash(pool, notes, store);
    await append(...randomNotes(100));
    expect(await liveHash(pool, notes, store)).toBe(await replayed(notes));
  });

  it('takes over immediately from a worker that stops', async () => {
    const notes = notesProjection();
    const first = await work(notes);
    await append(...randomNotes(20));
    await liveHash(pool, notes, store);
    const owner = await ownerOf('notes');
    await work(notes);
    await first.stop();
    await append(...randomNotes(20));
    expect(await liveHash(pool, notes, store)).toBe(await replayed(notes));
    expect(await ownerOf('notes')).not.toBe(owner);
    expect(errors).toEqual([]);
  });

  it('takes over from a worker that died', async () => {
    const notes = notesProjection();
    const first = await work(notes);
    await first.stop();
    await pool.query(
      `update read.projection_generations set owner = 'dead worker', epoch = epoch + 1, expires_at = clock_timestamp() + interval '3 s'`,
    );
    await work(notes);
    await append(...randomNotes(5));
    expect(await liveHash(pool, notes, store)).toBe(await replayed(notes));
    expect(await ownerOf('notes')).not.toBe('dead worker');
  });

  it('writes nothing after its lease has expired, and then acquires it again', async () => {
    const notes = notesProjection();
    await work(notes);
    await append(...randomNotes(20));
    await liveHash(pool, notes, store);
    // In one statement, because the worker may acquire a new lease right after it.
    const { rows } = await pool.query<{ epoch: number; owner: string }>(
      `update read.projection_generations set expires_at = clock_timestamp() - interval '1 s'
       returning epoch::int, owner`,
    );
    const [before] = rows;
    await append(...randomNotes(20));
    expect(await liveHash(pool, notes, store)).toBe(await replayed(notes));
    const [after] = await listGenerations(pool, ['notes']);
    expect(after?.epoch).toBeGreaterThan(before?.epoch ?? 0);
    expect(after?.owner).not.toBe(before?.owner);
  });

  it('recovers when its connections are killed', async () => {
    const notes = notesProjection();
    await work(notes);
    for (let round = 0; round < 5; round += 1) {
      await append(...randomNotes(30));
      await pool.query(
        `select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`,
      );
      await append(...randomNotes(30));
    }
    expect(
      await eventually(
        () => liveHash(pool, notes, store).catch(() => ''),
        (hash) => hash !== '',
      ),
    ).toBe(await replayed(notes));
  });

  it('stops a projection at an event that it fails on, with the error, and continues the others', async () => {
    let isPoisonous = true;
    const bad = notesProjection({
      name: 'bad',
      refuse(event) {
        if (isPoisonous && event.type === 'NoteEdited' && event.text === 'poison') throw new Error('refused');
      },
    });
    const good = notesProjection({ name: 'good' });
    const poison: NoteEvent = { type: 'NoteEdited', id: 'x', text: 'poison' };
    await append(...randomNotes(100), poison, ...randomNotes(100));
    await work(bad, good);
    await liveHash(pool, good, store);
    const poisonous = (await allEvents(store))[100];
    const generations = await eventually(
      () => listGenerations(pool, ['bad']),
      ([row]) => row?.error !== null,
    );
    expect(generations[0]).toMatchObject({
      ordinal: 100,
      error: { eventId: poisonous?.id, position: poisonous?.position, message: 'refused' },
    });
    await eventually(
      () => errors.length,
      (count) => count === 1,
    );

    const maintainer = maintainerOf(new ProjectionMaintenance({ pool, store, projections: [bad, good] }));
    await maintainer.retry('bad');
    await eventually(
      async () => errors.length,
      (count) => count === 2,
    );
    isPoisonous = false;
    await maintainer.retry('bad');
    expect(await liveHash(pool, bad, store)).toBe(await replayed(bad));
  });

  it('skips an event on a command, in a rebuild too', async () => {
    const bad = notesProjection({
      refuse(event) {
        if (event.type === 'NoteWritten' && event.text === 'poison') throw new Error('refused');
      },
    });
    const poison: NoteEvent = { type: 'NoteWritten', id: 'x', author: 'ann', text: 'poison' };
    await work(bad);
    await append(...randomNotes(20), poison, { type: 'NoteWritten', id: 'y', author: 'ann', text: 'fine' });
    await eventually(
      () => listGenerations(pool, ['notes']),
      ([row]) => row?.error !== null,
    );
    const maintenance = new ProjectionMaintenance({ pool, store, projections: [bad] });
    await maintainerOf(maintenance).skip('notes', 'no longer needed');
    const hash = await liveHash(pool, bad, store);
    expect((await pool.query(`select id from read.notes where id in ('x', 'y')`)).rows).toEqual([
      { id: 'y' },
    ]);
    const [row] = await listGenerations(pool, ['notes']);
    expect(row).toMatchObject({ ordinal: 23, skipped: [{ ordinal: 21, reason: 'no longer needed' }] });
    expect(await maintenance.verify('notes')).toMatchObject({ outcome: 'EQUAL' });
    expect(await maintenance.rebuild('notes')).toBe('switched');
    expect(await liveHash(pool, bad, store)).toBe(hash);
  });

  it('stops at an event that causes a database error', async () => {
    const notes = notesProjection({
      onBatchEnd: async (sql) => {
        await sql(`select 1 / (count(*) filter (where text <> 'zero'))::int from {notes}`);
      },
    });
    await work(notes);
    await append({ type: 'NoteWritten', id: '1', author: 'ann', text: 'one' });
    await liveHash(pool, notes, store);
    await append({ type: 'SomethingElse' }, { type: 'NoteEdited', id: '1', text: 'zero' });
    const [row] = await eventually(
      () => listGenerations(pool, ['notes']),
      ([seen]) => seen?.error !== null,
    );
    expect(row).toMatchObject({
      ordinal: 2,
      error: { message: 'division by zero', eventType: 'NoteEdited' },
    });
  });

  it('builds a new version next to the live one, and switches when it has caught up', async () => {
    const first = notesProjection();
    const old = await work(first);
    await append(...randomNotes(100));
    await liveHash(pool, first, store);
    await old.stop();
    await append(...randomNotes(100));
    await work(notesProjection({ version: 2 }));
    await eventually(
      () => listGenerations(pool, ['notes']),
      (rows) => rows.some(({ version, status }) => version === 2 && status === 'live'),
    );
    expect(await liveHash(pool, first, store)).toBe(await replayed(first));
    expect(
      (await listGenerations(pool, ['notes'])).map(({ version, status }) => [version, status]).slice(0, 2),
    ).toEqual([
      [1, 'former'],
      [2, 'live'],
    ]);
  });

  it('shows a table that is new in a version as empty until that version is live', async () => {
    const { batchEnd, ...first } = notesProjection();
    const old = await work(first);
    // A random history may leave no rows.
    await append(...randomNotes(50), { type: 'NoteWritten', id: 'kept', author: 'ann', text: 'kept' });
    await liveHash(pool, first, store);
    await old.stop();
    const second = { ...first, version: 2, ...(batchEnd && { batchEnd }) };
    await prepareProjections(pool, store, [second]);
    const longest = async (): Promise<number> =>
      (await pool.query('select author, length from read.notes_longest')).rows.length;
    expect(await longest()).toBe(0);
    await work(second);
    await eventually(longest, (authors) => authors > 0);
  });

  it.each([
    ['immediately', async () => undefined],
    ['with a delay', () => waitForQueries(pool)],
  ])(
    'backs off before it acquires a lease again that it keeps losing and releases %s',
    async (_, beforeRelease) => {
      await pool.query(`create function lose() returns trigger language plpgsql as 'begin return null; end'`);
      await pool.query(`create trigger lose before update of position on read.projection_generations
      for each row when (new.position is distinct from old.position) execute function lose()`);
      await append(...randomNotes(5));
      const worker = new ProjectionWorker({
        pool: releasingAfter(beforeRelease),
        store,
        projections: [notesProjection()],
        onError: (error) => errors.push(error),
        retryMs: 60_000,
      });
      workers.push(worker);
      await worker.start();
      const epoch = async (): Promise<number> => (await listGenerations(pool, ['notes']))[0]?.epoch ?? 0;
      // The first retry is immediate, because a switch looks the same.
      await eventually(epoch, (seen) => seen >= 2);
      await waitForQueries(pool);
      expect(await epoch()).toBe(2);
      expect(errors).toEqual([]);
    },
  );

  it('backs off if the log ends before the position that it follows', async () => {
    const shorter = new ShorterStore();
    const worker = new ProjectionWorker({
      pool,
      store: shorter,
      projections: [notesProjection()],
      onError: (error) => errors.push(error),
    });
    workers.push(worker);
    await worker.start();
    await eventually(
      async () => shorter.reads,
      (reads) => reads > 1,
    );
    const before = shorter.reads;
    await waitEventLoopTurns();
    expect(shorter.reads - before).toBeLessThan(50);
  });

  it.each([
    [
      'a temporary DNS failure',
      Object.assign(new Error('no'), { code: 'EAI_AGAIN', syscall: 'getaddrinfo' }),
    ],
    ['a broken client', new Error('Client has encountered a connection error and is not queryable')],
    ['an unknown error', new Error('The moon is in the wrong place')],
  ])('retries after a connection error: %s', async (_, failure) => {
    const notes = notesProjection();
    let left = 0;
    const connect = (): Promise<PoolClient> => (left-- > 0 ? Promise.reject(failure) : pool.connect());
    const fickle = Object.create(pool, {
      connect: { value: connect },
      query: { value: pool.query.bind(pool) },
    }) as Pool;
    const worker = new ProjectionWorker({
      pool: fickle,
      store,
      projections: [notes],
      onError: (error) => errors.push(error),
      retryMs: 20,
    });
    workers.push(worker);
    await worker.start();
    left = 3;
    // The worker may already hold a connection and use it for the first events.
    await eventually(
      async () => {
        await append(...randomNotes(5));
        return left;
      },
      (seen) => seen < 0,
    );
    expect(await liveHash(pool, notes, store)).toBe(await replayed(notes));
    expect((await listGenerations(pool, ['notes']))[0]?.error).toBeNull();
  });

  it('acquires an expired lease again without new events', async () => {
    const notes = notesProjection();
    await append(...randomNotes(20));
    await work(notes);
    await liveHash(pool, notes, store);
    const [before] = await listGenerations(pool, ['notes']);
    await pool.query(
      `update read.projection_generations set expires_at = clock_timestamp() - interval '1 s'`,
    );
    const [after] = await eventually(
      () => listGenerations(pool, ['notes']),
      ([row]) => row?.epoch !== before?.epoch && row?.isLed === true,
    );
    expect(after?.owner).not.toBe(before?.owner);
    expect(after?.ordinal).toBe(20);
    expect(errors).toEqual([]);
  });

  it('repeats commits that were lost in a crash of the server', async () => {
    const notes = notesProjection();
    await append(...randomNotes(50));
    await work(notes);
    await liveHash(pool, notes, store);
    const { rows } = await pool.query<{ name: string }>(
      `select tablename::text as name from pg_tables where schemaname = 'read' and tablename like 'notes%\\_\\_g1'`,
    );
    for (const { name } of rows)
      await pool.query(`create table read.saved_${name} as select * from read.${name}`);
    const [saved] = await listGenerations(pool, ['notes']);
    await append(...randomNotes(30));
    const hash = await liveHash(pool, notes, store);
    const restore = rows.map(
      ({ name }) => `truncate read.${name}; insert into read.${name} select * from read.saved_${name};`,
    );
    await pool.query(`begin; ${restore.join(' ')}
      update read.projection_generations set position = '${saved?.position ?? ''}', ordinal = 50; commit`);
    // Without new events.
    expect(await liveHash(pool, notes, store)).toBe(hash);
    expect(errors).toEqual([]);
  });

  it('acquires the lease of a dead worker after the clock stepped back', async () => {
    const notes = notesProjection();
    await append(...randomNotes(20));
    const first = await work(notes);
    await first.stop();
    await pool.query(`update read.projection_generations
      set owner = 'dead worker', epoch = epoch + 1, expires_at = clock_timestamp() + interval '1 hour'`);
    await append(...randomNotes(5));
    await work(notes);
    expect(await liveHash(pool, notes, store)).toBe(await replayed(notes));
  });

  it('stops only projections that handle an undecodable event, and skips it on a command', async () => {
    const { events } = appendOf({ type: 'NoteWritten', id: 'x', author: 'ann', text: 'undecodable' });
    const undecodable = events[0]?.id;
    const codec: EventCodec = {
      encode: async (encoded) => [...encoded],
      decode: async (encoded) => {
        if (encoded.some(({ id }) => id === undecodable)) throw new UndecodableEventError('unknown format');
        return [...encoded];
      },
    };
    const decoded = withCodec(store, codec);
    const notes = notesProjection();
    const blind: Projection = { ...notesProjection({ name: 'blind' }), counters: [] };
    const [table] = blind.tables;
    if (!table) throw new Error('missing table');
    const unconcerned: Projection = { ...blind, tables: [{ ...table, on: {} }] };
    const worker = new ProjectionWorker({
      pool,
      store: decoded,
      projections: [notes, unconcerned],
      onError: (error) => errors.push(error),
      retryMs: 20,
    });
    workers.push(worker);
    await worker.start();
    await append(...randomNotes(10));
    await store.append([{ streamId: 'notes-x', expectedRevision: 'any', events }]);
    await append(...randomNotes(10));
    await liveHash(pool, unconcerned, store);
    const [row] = await eventually(
      () => listGenerations(pool, ['notes']),
      ([seen]) => seen?.error !== null,
    );
    expect(row).toMatchObject({ ordinal: 10, error: { eventId: undecodable } });
    expect(row?.error?.message).toContain('unknown format');
    const maintenance = new ProjectionMaintenance({
      pool,
      store: decoded,
      projections: [notes, unconcerned],
    });
    await maintainerOf(maintenance).skip('notes', 'unknown event');
    await liveHash(pool, notes, store);
  });

  it('does not rebuild a projection that newer code has built', async () => {
    const next = notesProjection({ version: 2 });
    await work(next);
    await work(notesProjection({ version: 1 }));
    await append(...randomNotes(20));
    await liveHash(pool, next, store);
    expect((await listGenerations(pool, ['notes'])).map(({ version }) => version)).toEqual([2]);
  });
});

/** Reports a later head than its last event, as after a replacement of the log by an older copy. */
class ShorterStore extends InMemoryEventStore {
  reads = 0;

  override async head(): Promise<string> {
    return '0000009000000000000';
  }

  override async readAll({ limit }: ReadAllOptions): Promise<RecordedEvent[]> {
    this.reads += 1;
    // Without a delay the loop would starve other tasks, including the test.
    if (this.reads > 1_000) await new Promise(setImmediate);
    return super.readAll({ limit });
  }
}
