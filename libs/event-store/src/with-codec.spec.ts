import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { InMemoryEventStore } from './in-memory/in-memory-event-store.js';
import { type EventCodec, type JsonObject, UndecodableEventError } from './port.js';
import { withCodec } from './with-codec.js';

const seal = (data: JsonObject): JsonObject => ({ sealed: JSON.stringify(data) });
const open = (data: JsonObject): JsonObject => JSON.parse(data['sealed'] as string) as JsonObject;
const codec: EventCodec = {
  encode: async (events) => events.map((event) => ({ ...event, data: seal(event.data) })),
  decode: async (events) => events.map((event) => ({ ...event, data: open(event.data) })),
};

describe('withCodec', () => {
  it('encodes on append and decodes on every read', async () => {
    const inner = new InMemoryEventStore();
    const store = withCodec(inner, codec);
    const streamId = `student-${randomUUID()}`;
    const event = { id: randomUUID(), type: 'Joined', data: { name: 'Ada' }, metadata: {} };
    await store.append([{ streamId, expectedRevision: 'no-stream', events: [event] }]);

    expect(await inner.readStream(streamId)).toMatchObject([{ data: { sealed: '{"name":"Ada"}' } }]);
    const opened = [expect.objectContaining(event)];
    expect(await store.readStream(streamId)).toEqual(opened);
    expect(await store.readAll({ limit: 10 })).toEqual(opened);
    expect([...(await store.readStreams([streamId, 'none']))]).toEqual([
      [streamId, opened],
      ['none', []],
    ]);
    expect(await store.head()).toBe(await inner.head());
    for await (const batch of store.subscribe({ signal: new AbortController().signal })) {
      expect(batch).toEqual(opened);
      break;
    }
  });

  it('marks undecodable events when reading the log, but fails to read their stream', async () => {
    const refusing: EventCodec = {
      encode: async (events) => [...events],
      decode: async (events) => {
        if (events.some(({ type }) => type === 'Unknown')) throw new UndecodableEventError('unknown type');
        return events.map((event) => ({ ...event, data: { opened: true } }));
      },
    };
    const store = withCodec(new InMemoryEventStore(), refusing);
    const streamId = `s-${randomUUID()}`;
    const types = ['Joined', 'Unknown', 'Left'];
    const events = types.map((type) => ({ id: randomUUID(), type, data: {}, metadata: {} }));
    await store.append([{ streamId, expectedRevision: 'no-stream', events }]);
    const expected = [
      { type: 'Joined', data: { opened: true } },
      { type: 'Unknown', data: {}, undecodable: 'unknown type' },
      { type: 'Left', data: { opened: true } },
    ];
    expect(await store.readAll({ limit: 10 })).toMatchObject(expected);
    for await (const batch of store.subscribe({ signal: new AbortController().signal })) {
      expect(batch).toMatchObject(expected);
      break;
    }
    await expect(store.readStream(streamId)).rejects.toThrow('unknown type');
    await expect(store.readStreams([streamId])).rejects.toThrow('unknown type');
  });

  it('rethrows a transient error', async () => {
    const failing: EventCodec = {
      encode: async (events) => [...events],
      decode: () => Promise.reject(new Error('the key store is unavailable')),
    };
    const store = withCodec(new InMemoryEventStore(), failing);
    await expect(store.readAll({ limit: 10 })).rejects.toThrow('the key store is unavailable');
  });
});
