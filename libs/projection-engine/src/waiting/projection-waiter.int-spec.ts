import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { newClient } from '@nimo/event-store';
import { InMemoryEventStore, waitForQueries } from '@nimo/event-store/testing';
import { randomUUID } from 'node:crypto';
import type pg from 'pg';
import { createTestDatabase, eventually, type TestDatabase } from '@nimo/testing';
import { maintainerOf } from '../testing.js';
import { ProjectionMaintenance } from '../maintenance/projection-maintenance.js';
import { ProjectionWaiter } from './projection-waiter.js';
import { ProjectionWorker } from '../worker/projection-worker.js';
import { appendOf, type NoteEvent, notesProjection } from '../testing/notes.fixture.js';

/** Long enough for a slow machine. */
const TIMEOUT_MS = 60_000;
/** Longer than the timeout of a test, so waiting for it fails. */
const FOREVER_MS = 3_600_000;

describe('projection waiter', () => {
  let database: TestDatabase;
  let store: InMemoryEventStore;
  let worker: ProjectionWorker;
  let waiter: ProjectionWaiter;
  const listening: pg.Client[] = [];
  let isUnreachable = false;
  const notes = notesProjection();
  const others = notesProjection({
    name: 'others',
    refuse(event) {
      if (event.type === 'NoteWritten' && event.text === 'poison') throw new Error('refused');
    },
  });
  const projections = [notes, others];

  beforeEach(async () => {
    database = await createTestDatabase();
    isUnreachable = false;
    const pool = database.pool();
    store = new InMemoryEventStore();
    worker = new ProjectionWorker({ pool, store, projections, onError: () => undefined, retryMs: 20 });
    waiter = new ProjectionWaiter({
      pool,
      connect() {
        const client = newClient({ connectionString: database.url });
        listening.push(client);
        if (isUnreachable) client.connect = () => Promise.reject(new Error('unreachable'));
        return client;
      },
      onError: () => undefined,
    });
    await worker.start();
    await waiter.start();
  });
  afterEach(async () => {
    await waiter.stop();
    await worker.stop();
    await database.drop();
  });

  async function append(event: NoteEvent): Promise<string> {
    const [outcome] = await store.append([appendOf(event)]);
    if (outcome?.kind !== 'appended') throw new Error('nothing was appended');
    return outcome.position;
  }

  const write = (text = 'text'): Promise<string> =>
    append({ type: 'NoteWritten', id: randomUUID(), author: 'ann', text });

  it('never misses a commit with many callers, even if the event touches no row', async () => {
    const one = async (): Promise<void> => {
      for (let count = 0; count < 60; count += 1) {
        const id = randomUUID();
        const position = await append({ type: 'NoteWritten', id, author: 'ann', text: 'text' });
        expect(await waiter.waitFor(['notes', 'others'], position, TIMEOUT_MS)).toEqual({ stale: false });
        const { rowCount } = await database.pool().query('select 1 from read.notes where id = $1', [id]);
        expect(rowCount).toBe(1);
        const quiet = await append({ type: 'SomethingElse' });
        expect(await waiter.waitFor(['notes'], quiet, TIMEOUT_MS)).toEqual({ stale: false });
      }
    };
    await Promise.all(Array.from({ length: 12 }, one));
  });

  it('backs off between connections that end immediately', async () => {
    let made = 0;
    const fickle = new ProjectionWaiter({
      pool: database.pool(),
      connect() {
        made += 1;
        const client = newClient({ connectionString: database.url });
        client.once('connect', () => setImmediate(() => void client.end()));
        return client;
      },
      onError: () => undefined,
    });
    await fickle.start().catch(() => undefined);
    await waitForQueries(database.pool());
    await fickle.stop();
    expect(made).toBeLessThan(20);
  });

  it('returns immediately for a position that was passed', async () => {
    const position = await write();
    await waiter.waitFor(['notes'], position, TIMEOUT_MS);
    expect(await waiter.waitFor(['notes', 'notes'], position, 0)).toEqual({ stale: false });
    expect(await waiter.waitFor([], position)).toEqual({ stale: false });
  });

  it('keeps working while its connection is lost, and reconnects', async () => {
    const { rows } = await database
      .pool()
      .query<{ pid: number }>(
        `select pid from pg_stat_activity where query like 'listen%' and datname = current_database()`,
      );
    expect(rows).toHaveLength(1);
    await database.pool().query('select pg_terminate_backend($1)', [rows[0]?.pid]);
    expect(await waiter.waitFor(['notes'], await write(), TIMEOUT_MS)).toEqual({ stale: false });
    await eventually(
      async () => listening.length,
      (count) => count > 1,
    );
    expect(await waiter.waitFor(['notes'], await write(), TIMEOUT_MS)).toEqual({ stale: false });
  });

  it('does not return stale if a new connection clears the progress just as a projection passes', async () => {
    const pool = database.pool();
    let [isSecond, goOn]: [boolean, () => void] = [false, () => undefined];
    const seen = new Promise<void>((resolve) => (goOn = resolve));
    const position = await write();
    await waiter.waitFor(['notes'], position, TIMEOUT_MS);
    await worker.stop();
    const late = await write();
    const forgetful = new ProjectionWaiter({
      pool: Object.assign(Object.create(pool) as pg.Pool, {
        query: async (text: string) => {
          const result = await pool.query<{ position: string }>(text);
          if (result.rows.some((row) => row.position === late)) goOn();
          return result;
        },
      }),
      connect() {
        const client = newClient({ connectionString: database.url });
        const query = client.query.bind(client) as (text: string) => Promise<unknown>;
        const heldQuery = async (text: string): Promise<void> => {
          await query(text);
          await seen;
        };
        if (isSecond) Object.assign(client, { query: heldQuery });
        else isSecond = true;
        listening.push(client);
        return client;
      },
      onError: () => undefined,
    });
    await forgetful.start();
    const answer = forgetful.waitFor(['notes'], late, TIMEOUT_MS);
    await listening.at(-1)?.end();
    worker = new ProjectionWorker({ pool, store, projections, onError: () => undefined, retryMs: 20 });
    await worker.start();
    expect(await answer).toEqual({ stale: false });
    await forgetful.stop();
  });

  it.each(['a new connection', 'no new connection'])(
    'forgets all progress after a crash of the server, with %s',
    async (reconnected) => {
      const position = await write();
      expect(await waiter.waitFor(['notes'], position, TIMEOUT_MS)).toEqual({ stale: false });
      await worker.stop();
      isUnreachable = reconnected === 'no new connection';
      const before = listening.length;
      // As after a crash: the last checkpoints are undone and the connections closed.
      await database
        .pool()
        .query(`update read.projection_generations set position = null where name = 'notes'`);
      await database.pool()
        .query(`select pg_terminate_backend(pid) from pg_stat_activity where query like 'listen%'
                and datname = current_database()`);
      await eventually(
        async () => listening.length,
        (count) => count > before,
      );
      expect(waiter.progressOf('notes')?.position ?? '').toBe('');
      expect(await waiter.waitFor(['notes'], position, 30)).toEqual({ stale: true });
    },
  );

  it('returns stale after the timeout', async () => {
    await worker.stop();
    expect(await waiter.waitFor(['notes'], await write(), 30)).toEqual({ stale: true });
  });

  it('does not wait for a stopped projection, and waits again once it continues', async () => {
    const poisoned = await write('poison');
    expect(await waiter.waitFor(['others'], poisoned, FOREVER_MS)).toEqual({ stale: true });
    expect(await waiter.waitFor(['others'], await write(), FOREVER_MS)).toEqual({ stale: true });
    expect(await waiter.waitFor(['notes'], poisoned, FOREVER_MS)).toEqual({ stale: false });
    const pool = database.pool();
    await maintainerOf(new ProjectionMaintenance({ pool, store, projections })).skip('others', 'a test');
    const later = await write();
    await eventually(
      () => waiter.waitFor(['others'], later, 100),
      ({ stale }) => !stale,
    );
  });

  it('rejects an unknown projection', async () => {
    await expect(waiter.waitFor(['notes', 'rumours'], '1')).rejects.toBeInstanceOf(RangeError);
  });
});
