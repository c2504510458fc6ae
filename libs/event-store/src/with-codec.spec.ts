import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { InMemoryEventStore } from './in-memory/in-memory-event-store.js';
import type { EventCodec, JsonObject } from './port.js';
import { withCodec } from './with-codec.js';

const seal = (data: JsonObject): JsonObject => ({ sealed: JSON.stringify(data) });
const open = (data: JsonObject): JsonObject => JSON.parse(data['sealed'] as string) as JsonObject;
const codec: EventCodec = {
  encode: async (events) => events.map((event) => ({ ...event, data: seal(event.data) })),
  decode: async (events) => events.map((event) => ({ ...event, data: open(event.data) })),
};

describe('withCodec', () => {
  it('seals on append and opens on every read', async () => {
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
});
