import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type pg from 'pg';
import { createTestDatabase, eventually, type TestDatabase } from '@nimo/testing';
import type { NewEvent, RecordedEvent } from '../port.js';
import { parsePosition } from '../numeric-position.js';
import { newClient, openPool } from './connections.js';
import { PostgresEventStore } from './postgres-event-store.js';
import { LOG_CHANNEL } from './schema.js';

const newEvent = (): NewEvent => ({ id: randomUUID(), type: 'Noted', data: {}, metadata: {} });

describe('what is appended', () => {
  let database: TestDatabase;
  let ear: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    ear = newClient({ connectionString: database.url });
    await ear.connect();
    await ear.query(`listen ${LOG_CHANNEL}`);
  });
  afterAll(async () => {
    await ear.end();
    await database.drop();
  });

  const open = (): PostgresEventStore =>
    new PostgresEventStore({ pool: database.pool(), directUrl: database.url });

  /** As a process that ends between its commit and its notification. */
  async function appendSilently(eventId: string): Promise<number> {
    const { rows } = await database
      .pool()
      .query<{ last_position: string }>(
        `select * from log.append_events(array[$1], array[-1]::bigint[], array[1], array[$2]::uuid[], array['Noted'], '{}', '{}')`,
        [`note-${randomUUID()}`, eventId],
      );
    return Number(rows[0]?.last_position);
  }

  /** What is told until a mark that is told last. */
  async function toldBy(act: () => Promise<unknown>): Promise<string[]> {
    const told: string[] = [];
    const hear = ({ payload = '' }: pg.Notification): void => void told.push(payload);
    ear.on('notification', hear);
    await act();
    const mark = randomUUID();
    await database.pool().query('select pg_notify($1, $2)', [LOG_CHANNEL, mark]);
    while (told.at(-1) !== mark) await once(ear, 'notification');
    ear.off('notification', hear);
    return told.slice(0, -1);
  }

  it('is told of by whoever appended it, with the position, before the store is closed', async () => {
    const store = open();
    const positions: number[] = [];
    const told = await toldBy(async () => {
      const appends = Array.from({ length: 20 }, async () => {
        const [outcome] = await store.append([
          { streamId: `note-${randomUUID()}`, expectedRevision: 'no-stream', events: [newEvent()] },
        ]);
        if (outcome?.kind === 'appended') positions.push(parsePosition(outcome.position));
      });
      await Promise.all(appends);
      await store.close();
    });
    expect(positions).toHaveLength(20);
    expect(told.length).toBeLessThan(20);
    expect(Number(told.at(-1))).toBe(Math.max(...positions));
  });

  it('is told of again when it is sent again: the first attempt may have ended before', async () => {
    const store = open();
    const append = {
      streamId: `note-${randomUUID()}`,
      expectedRevision: 'no-stream' as const,
      events: [newEvent()],
    };
    await toldBy(() => store.append([append]).then(() => store.close()));
    const again = open();
    const told = await toldBy(() => again.append([append]).then(() => again.close()));
    expect(told).toHaveLength(1);
  });

  it('tells nobody within its own transaction, whose commit would hold the lock of all notifications', async () => {
    expect(await toldBy(() => appendSilently(randomUUID()))).toEqual([]);
  });

  it('reaches those who follow though nobody rang', async () => {
    const pool = openPool({ connectionString: database.url, max: 1 });
    let looks = 0;
    pool.on('release', () => looks++);
    const store = new PostgresEventStore({ pool, directUrl: database.url });
    const controller = new AbortController();
    const after = await store.head();
    const next = firstOf(
      store.subscribe({ signal: controller.signal, ...(after !== undefined && { after }) }),
    );
    await listening(database.pool());
    // One look may be under way and one follows from having begun to listen; a third is by the clock.
    await eventually(
      () => looks,
      (count) => count >= 4,
    );
    const eventId = randomUUID();
    await appendSilently(eventId);
    expect((await next)?.id).toBe(eventId);
    controller.abort();
    await store.close();
    await pool.end();
  });
});

async function firstOf(batches: AsyncIterable<readonly RecordedEvent[]>): Promise<RecordedEvent | undefined> {
  for await (const [event] of batches) return event;
  return undefined;
}

/** Resolves once the store listens, too. */
async function listening(pool: pg.Pool): Promise<void> {
  await eventually(
    () =>
      pool.query(
        `select from pg_stat_activity where datname = current_database() and state = 'idle' and query = 'listen ${LOG_CHANNEL}'`,
      ),
    ({ rowCount }) => rowCount === 2,
  );
}
