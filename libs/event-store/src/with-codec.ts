import {
  type Append,
  type EventCodec,
  type EventStore,
  type RecordedEvent,
  type SubscribeOptions,
  UndecodableEventError,
} from './port.js';

/** Encodes events on append and decodes them on every read. */
export function withCodec(store: EventStore, codec: EventCodec): EventStore {
  return {
    append: async (appends) => store.append(await encodeAll(appends, codec)),
    readStream: async (streamId, options) => codec.decode(await store.readStream(streamId, options)),
    readStreams: async (streamIds, from) => decodeStreams(await store.readStreams(streamIds, from), codec),
    ...withReadFromSnapshots(store, codec),
    readAll: async (options) => decodeAll(await store.readAll(options), codec),
    subscribe: (options) => decodeBatches(store, codec, options),
    ...(store.positions && { positions: store.positions }),
    head: () => store.head(),
    countAfter: (after, atMost) => store.countAfter(after, atMost),
    close: () => store.close(),
  };
}

/** One call for all appends, so that the codec looks up keys once. */
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
 * One undecodable event must not block readers of the whole log, so it is returned and marked. Reading a stream throws instead: a decision
 * needs all of its events.
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

function withReadFromSnapshots(
  { readFromSnapshots }: EventStore,
  codec: EventCodec,
): Pick<EventStore, 'readFromSnapshots'> {
  if (!readFromSnapshots) return {};
  return {
    async readFromSnapshots(shapes) {
      const { streams, snapshots } = await readFromSnapshots(shapes);
      return { streams: await decodeStreams(streams, codec), snapshots };
    },
  };
}

/** One call for all streams, so that the codec looks up keys once. */
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
