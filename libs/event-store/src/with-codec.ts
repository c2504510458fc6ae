import type { EventCodec, EventStore, RecordedEvent, SubscribeOptions } from './port.js';

/** A store whose users see events as the domain knows them: encoded on append, decoded on every read. */
export function withCodec(store: EventStore, codec: EventCodec): EventStore {
  return {
    append: async (appends) =>
      store.append(
        await Promise.all(
          appends.map(async (append) => ({ ...append, events: await codec.encode(append.events) })),
        ),
      ),
    readStream: async (streamId, options) => codec.decode(await store.readStream(streamId, options)),
    readStreams: async (streamIds) => decodeStreams(await store.readStreams(streamIds), codec),
    readAll: async (options) => codec.decode(await store.readAll(options)),
    subscribe: (options) => decodeBatches(store, codec, options),
    head: () => store.head(),
    countAfter: (after, atMost) => store.countAfter(after, atMost),
    close: () => store.close(),
  };
}

/** All streams in one call, since a codec may look keys up. */
async function decodeStreams(
  streams: ReadonlyMap<string, RecordedEvent[]>,
  codec: EventCodec,
): Promise<ReadonlyMap<string, RecordedEvent[]>> {
  const decoded = new Map([...streams.keys()].map((streamId): [string, RecordedEvent[]] => [streamId, []]));
  for (const event of await codec.decode([...streams.values()].flat()))
    decoded.get(event.streamId)?.push(event);
  return decoded;
}

async function* decodeBatches(
  store: EventStore,
  codec: EventCodec,
  options: SubscribeOptions,
): AsyncGenerator<readonly RecordedEvent[]> {
  for await (const batch of store.subscribe(options)) yield await codec.decode(batch);
}
