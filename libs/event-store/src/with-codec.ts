import {
  type Append,
  type EventCodec,
  type EventStore,
  type RecordedEvent,
  type SubscribeOptions,
  UndecodableEventError,
} from './port.js';

/** A store whose users see events as the domain knows them: encoded on append, decoded on every read. */
export function withCodec(store: EventStore, codec: EventCodec): EventStore {
  return {
    append: async (appends) => store.append(await encodeAll(appends, codec)),
    readStream: async (streamId, options) => codec.decode(await store.readStream(streamId, options)),
    readStreams: async (streamIds, from) => decodeStreams(await store.readStreams(streamIds, from), codec),
    ...readingFromSnapshots(store, codec),
    readAll: async (options) => decodeAll(await store.readAll(options), codec),
    subscribe: (options) => decodeBatches(store, codec, options),
    head: () => store.head(),
    countAfter: (after, atMost) => store.countAfter(after, atMost),
    close: () => store.close(),
  };
}

/** In one go: what it takes to encode an event is looked up once for all of them. */
async function encodeAll(appends: readonly Append[], codec: EventCodec): Promise<Append[]> {
  const encoded = await codec.encode(appends.flatMap(({ events }) => events));
  let next = 0;
  return appends.map((append) => {
    const events = encoded.slice(next, next + append.events.length);
    next += append.events.length;
    return { ...append, events };
  });
}

/**
 * Along the whole log one event that cannot be decoded must not keep all that follow from everybody: it is handed on and says so. Who
 * decides by a stream, on the other hand, has to know all of it, and is refused.
 */
async function decodeAll(events: readonly RecordedEvent[], codec: EventCodec): Promise<RecordedEvent[]> {
  try {
    return await codec.decode(events);
  } catch (error) {
    if (!(error instanceof UndecodableEventError)) throw error;
  }
  const decoded: RecordedEvent[] = [];
  for (const event of events) decoded.push(...(await decodeOne(event, codec)));
  return decoded;
}

async function decodeOne(event: RecordedEvent, codec: EventCodec): Promise<readonly RecordedEvent[]> {
  try {
    return await codec.decode([event]);
  } catch (error) {
    if (!(error instanceof UndecodableEventError)) throw error;
    return [{ ...event, undecodable: error.message }];
  }
}

function readingFromSnapshots(
  { readFromSnapshots }: EventStore,
  codec: EventCodec,
): Pick<EventStore, 'readFromSnapshots'> {
  if (!readFromSnapshots) return {};
  return {
    async readFromSnapshots(shapes) {
      const { streams, kept } = await readFromSnapshots(shapes);
      return { streams: await decodeStreams(streams, codec), kept };
    },
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
  for await (const batch of store.subscribe(options)) yield await decodeAll(batch, codec);
}
