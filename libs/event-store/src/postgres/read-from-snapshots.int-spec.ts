import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '@nimo/testing';
import type { EventStore, JsonObject, RecordedEvent } from '../port.js';
import { loadStreams, type Snapshots, type StreamFold, type StreamSnapshot } from '../stream-snapshots.js';
import { withCodec } from '../with-codec.js';
import { PostgresEventStore } from './postgres-event-store.js';

const COUNTING: StreamFold = {
  shape: 'count-1',
  fold: (state, events) => ({ count: Number(state?.['count'] ?? 0) + events.length }),
};

let database: TestDatabase;
let store: EventStore;
beforeAll(async () => {
  database = await createTestDatabase();
  store = new PostgresEventStore({
    pool: database.pool(),
    directUrl: database.url,
    snapshotTable: 'state.stream_snapshots',
  });
});
afterAll(async () => {
  await store.close();
  await database.drop();
});

const snapshotStore: NonNullable<Snapshots['store']> = {
  async read(streamIds) {
    const { rows } = await database
      .pool()
      .query<Record<string, string> & { state: JsonObject }>(
        'select * from state.stream_snapshots where stream_id = any($1::text[])',
        [streamIds],
      );
    return rows.map(
      ({ stream_id: streamId = '', shape = '', revision, event_id: eventId = '', state, commands = '' }) => ({
        streamId,
        shape,
        revision: Number(revision),
        eventId,
        state,
        commands,
      }),
    );
  },
  write: () => Promise.resolve(),
};
const snapshots: Snapshots = {
  store: snapshotStore,
  foldOf: (streamId) => (streamId.startsWith('whole') ? undefined : COUNTING),
};

async function append(streamId: string, count: number): Promise<readonly RecordedEvent[]> {
  const events = Array.from({ length: count }, (_, index) => ({
    id: randomUUID(),
    type: 'Counted',
    data: { index },
    metadata: {},
  }));
  await store.append([{ streamId, expectedRevision: 'any', events }]);
  return store.readStream(streamId);
}

async function saveSnapshot(values: Partial<StreamSnapshot> & { readonly streamId: string }): Promise<void> {
  const { streamId, shape = COUNTING.shape, revision = 0, eventId = randomUUID(), state = {} } = values;
  await database
    .pool()
    .query('insert into state.stream_snapshots values ($1, $2, $3, $4, $5, $6)', [
      streamId,
      shape,
      revision,
      eventId,
      JSON.stringify(state),
      'abcdefgh',
    ]);
}

/** Loads in one round trip, and expects the same result from two. */
async function loadBothWays(streamIds: readonly string[]) {
  const inOneTrip = await loadStreams(store, streamIds, snapshots);
  const { readFromSnapshots: _, ...inTwoTrips } = withCodec(store, {
    encode: (events) => Promise.resolve([...events]),
    decode: (events) => Promise.resolve([...events]),
  });
  expect(inOneTrip).toEqual(await loadStreams(inTwoTrips, streamIds, snapshots));
  return inOneTrip;
}

describe('reading streams with their snapshots in one round trip', () => {
  it('returns the events after a snapshot, and all events without one', async () => {
    const [long, short, none, whole] = ['long', 'short', 'none', 'whole'].map(
      (name) => `${name}-${randomUUID()}`,
    );
    const events = await append(long ?? '', 6);
    await append(short ?? '', 2);
    const all = await append(whole ?? '', 3);
    await saveSnapshot({
      streamId: long ?? '',
      revision: 3,
      eventId: events[3]?.id ?? '',
      state: { count: 4 },
    });
    await saveSnapshot({
      streamId: whole ?? '',
      revision: 2,
      eventId: all[2]?.id ?? '',
      state: { count: 3 },
    });
    const { streams, bases } = await loadBothWays([long ?? '', short ?? '', none ?? '', whole ?? '']);
    expect([...streams.values()].map(({ length }) => length)).toEqual([2, 2, 0, 3]);
    expect([...bases]).toEqual([[long, { state: { count: 4 }, last: events[3], commands: 'abcdefgh' }]]);
  });

  it('returns all events if the snapshot belongs to another fold, another history or a longer log', async () => {
    const ids = ['fold', 'history', 'longer', 'empty'].map((name) => `${name}-${randomUUID()}`);
    for (const streamId of ids.slice(0, 3)) await append(streamId, 3);
    const [fold = '', history = '', longer = '', empty = ''] = ids;
    await saveSnapshot({ streamId: fold, shape: 'count-0', revision: 2 });
    await saveSnapshot({ streamId: history, revision: 1 });
    await saveSnapshot({ streamId: longer, revision: 7 });
    await saveSnapshot({ streamId: empty, revision: 0 });
    const { streams, bases } = await loadBothWays(ids);
    expect([...streams.values()].map(({ length }) => length)).toEqual([3, 3, 3, 0]);
    expect(bases.size).toBe(0);
  });

  it('returns all events if snapshots cannot be read', async () => {
    const failures: unknown[] = [];
    const without = new PostgresEventStore({
      pool: database.pool(),
      directUrl: database.url,
      snapshotTable: 'state.nowhere',
    });
    const streamId = `any-${randomUUID()}`;
    await append(streamId, 2);
    const { streams } = await loadStreams(without, [streamId], {
      ...snapshots,
      onError: (error) => failures.push(error),
    });
    expect([streams.get(streamId)?.length, failures.length]).toEqual([2, 1]);
    await without.close();
  });

  it('decodes the events', async () => {
    const streamId = `any-${randomUUID()}`;
    await append(streamId, 2);
    const decoded = withCodec(store, {
      encode: (events) => Promise.resolve([...events]),
      decode: (events) => Promise.resolve(events.map((event) => ({ ...event, type: 'Decoded' }))),
    });
    const { streams } = await loadStreams(decoded, [streamId], snapshots);
    expect(streams.get(streamId)?.map(({ type }) => type)).toEqual(['Decoded', 'Decoded']);
  });
});
