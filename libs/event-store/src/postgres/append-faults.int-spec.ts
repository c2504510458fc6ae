import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import type { Pool } from 'pg';
import { createTestDatabase, type TestDatabase } from '@nimo/testing';
import { appendOne, asWritten, collect, newEvents, newStreamId } from '../contract/event-fixtures.js';
import { type Append, EventStoreUnavailableError } from '../port.js';
import { PostgresEventStore } from './postgres-event-store.js';
import { LOG_LOCK } from './schema.js';

let database: TestDatabase;
let pool: Pool;
let store: PostgresEventStore;
let append: Append;
const open = (appendTimeoutMs?: number): PostgresEventStore =>
  new PostgresEventStore({
    pool: database.url,
    directUrl: database.url,
    pollIntervalMs: 50,
    ...(appendTimeoutMs !== undefined && { appendTimeoutMs }),
  });

beforeAll(async () => {
  database = await createTestDatabase();
  pool = database.pool();
});
beforeEach(() => {
  append = { streamId: newStreamId(), expectedRevision: 'no-stream', events: newEvents(2) };
});
afterEach(() => store.close());
afterAll(() => database.drop());

const expectWrittenOnce = async (): Promise<void> =>
  expect((await store.readStream(append.streamId)).map(asWritten)).toEqual(append.events);

describe('append', () => {
  it('fails as unavailable while the disk is full, and succeeds afterwards', async () => {
    store = open();
    await pool.query(`
      create function disk_is_full() returns trigger language plpgsql as $$
        begin raise exception 'could not extend file: No space left on device' using errcode = 'disk_full'; end $$;
      create trigger disk_is_full after insert on log.events for each row execute function disk_is_full()`);
    await expect(store.append([append])).rejects.toThrow(EventStoreUnavailableError);
    expect(await store.readStream(append.streamId)).toEqual([]);
    await pool.query('drop function disk_is_full cascade');
    expect(await appendOne(store, append)).toMatchObject({ kind: 'appended', duplicate: false });
    await expectWrittenOnce();
  });

  it('fails as unavailable on a server that has become read-only, while reads succeed', async () => {
    const name =
      (await pool.query<{ name: string }>('select current_database() as name')).rows[0]?.name ?? '';
    await pool.query(`alter database "${name}" set default_transaction_read_only = on`);
    store = open();
    expect(await store.readStream(append.streamId)).toEqual([]);
    await expect(store.append([append])).rejects.toThrow(EventStoreUnavailableError);
    // The pool discards the failed connection: the host name may point to another server by now.
    await pool.query(`alter database "${name}" reset default_transaction_read_only`);
    expect(await appendOne(store, append)).toMatchObject({ kind: 'appended', duplicate: false });
    await expectWrittenOnce();
  });

  it('recognizes an append that timed out but was committed later', async () => {
    // Long enough for the statement to reach the server, where it waits for the lock.
    store = open(1_000);
    const holder = await pool.connect();
    await holder.query(`select pg_advisory_lock(${LOG_LOCK})`);
    const after = await store.head();
    await expect(store.append([append])).rejects.toThrow(EventStoreUnavailableError);
    expect(await store.readStream(append.streamId)).toEqual([]);
    await holder.query(`select pg_advisory_unlock(${LOG_LOCK})`);
    holder.release();
    // No notification is sent, so the subscriber finds it by polling.
    const seen = await collect(store, { after, until: append.events.map(({ id }) => id) });
    expect(seen.map(asWritten)).toEqual(append.events);
    await store.close();
    store = open();
    expect(await appendOne(store, append)).toMatchObject({ kind: 'appended', revision: 1, duplicate: true });
    await expectWrittenOnce();
  });
});
