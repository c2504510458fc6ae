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

describe('append notifications', () => {
  let database: TestDatabase;
  let listener: pg.Client;

  beforeAll(async () => {
    database = await createTestDatabase();
    listener = newClient({ connectionString: database.url });
    await listener.connect();
    await listener.query(`listen ${LOG_CHANNEL}`);
  });
  afterAll(async () => {
    await listener.end();
    await database.drop();
  });

  const open = (): PostgresEventStore =>
    new PostgresEventStore({ pool: database.pool(), directUrl: database.url });

  /** Appends like a process that ends between its commit and its notification. */
  async function appendWithoutNotifying(eventId: string): Promise<number> {
    const { rows } = await database
      .pool()
      .query<{ last_position: string }>(
        `select * from log.append_events(array[$1], array[-1]::bigint[], array[1], array[$2]::uuid[], array['Noted'], '{}', '{}')`,
        [`note-${randomUUID()}`, eventId],
      );
    return Number(rows[0]?.last_position);
  }

  /** Payloads sent during an action, delimited by a final marker. */
  async function notificationsDuring(action: () => Promise<unknown>): Promise<string[]> {
    const payloads: string[] = [];
    const onNotification = ({ payload = '' }: pg.Notification): void => void payloads.push(payload);
    listener.on('notification', onNotification);
    await action();
    const marker = randomUUID();
    await database.pool().query('select pg_notify($1, $2)', [LOG_CHANNEL, marker]);
    while (payloads.at(-1) !== marker) await once(listener, 'notification');
    listener.off('notification', onNotification);
    return payloads.slice(0, -1);
  }

  it('carry the position and are sent before the store closes', async () => {
    const store = open();
    const positions: number[] = [];
    const payloads = await notificationsDuring(async () => {
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
    expect(payloads.length).toBeLessThan(20);
    expect(Number(payloads.at(-1))).toBe(Math.max(...positions));
  });

  it('are repeated when an append is repeated, as the first attempt may not have sent one', async () => {
    const store = open();
    const append = {
      streamId: `note-${randomUUID()}`,
      expectedRevision: 'no-stream' as const,
      events: [newEvent()],
    };
    await notificationsDuring(() => store.append([append]).then(() => store.close()));
    const again = open();
    const payloads = await notificationsDuring(() => again.append([append]).then(() => again.close()));
    expect(payloads).toHaveLength(1);
  });

  it('are not sent within the append transaction, whose commit would hold the notification lock', async () => {
    expect(await notificationsDuring(() => appendWithoutNotifying(randomUUID()))).toEqual([]);
  });

  it('may be lost without subscribers missing events', async () => {
    const pool = openPool({ connectionString: database.url, max: 1 });
    let reads = 0;
    pool.on('release', () => reads++);
    const store = new PostgresEventStore({ pool, directUrl: database.url });
    const controller = new AbortController();
    const after = await store.head();
    const next = firstOf(
      store.subscribe({ signal: controller.signal, ...(after !== undefined && { after }) }),
    );
    await listening(database.pool());
    // One read may be in progress and one follows LISTEN; a third comes from polling.
    await eventually(
      () => reads,
      (count) => count >= 4,
    );
    const eventId = randomUUID();
    await appendWithoutNotifying(eventId);
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

/** Resolves once the store listens as well. */
async function listening(pool: pg.Pool): Promise<void> {
  await eventually(
    () =>
      pool.query(
        `select from pg_stat_activity where datname = current_database() and state = 'idle' and query = 'listen ${LOG_CHANNEL}'`,
      ),
    ({ rowCount }) => rowCount === 2,
  );
}
