import { expect, it } from '@jest/globals';
import { LogOrdinals } from '../log-ordinals.js';
import type { EventStore } from '../port.js';
import { appended, asWritten, newEvents, newStreamId, readFrom } from './event-fixtures.js';

const NO_STREAM = 'no-stream';

export function describeReading(store: () => EventStore): void {
  it('reads a stream that does not exist as empty', async () => {
    expect(await store().readStream(newStreamId())).toEqual([]);
  });

  it('reads a stream from a revision up to a limit', async () => {
    const streamId = newStreamId();
    await appended(store(), { streamId, expectedRevision: NO_STREAM, events: newEvents(10) });
    const revisions = async (fromRevision: number, limit: number): Promise<number[]> =>
      (await store().readStream(streamId, { fromRevision, limit })).map(({ revision }) => revision);
    expect(await revisions(3, 4)).toEqual([3, 4, 5, 6]);
    expect(await revisions(9, 4)).toEqual([9]);
    expect(await revisions(10, 4)).toEqual([]);
    expect(await revisions(0, 0)).toEqual([]);
  });

  it('reads several streams, including missing and repeated ones', async () => {
    const [one, two, none] = [newStreamId(), newStreamId(), newStreamId()];
    await store().append([
      { streamId: one, expectedRevision: NO_STREAM, events: newEvents(2) },
      { streamId: two, expectedRevision: NO_STREAM, events: newEvents(3) },
    ]);
    const streams = await store().readStreams([two, none, one, two]);
    expect([...streams].map(([id, events]) => [id, events.map(({ revision }) => revision)])).toEqual([
      [two, [0, 1, 2]],
      [none, []],
      [one, [0, 1]],
    ]);
  });

  it('reads no streams as an empty map', async () => {
    expect((await store().readStreams([])).size).toBe(0);
  });

  it('returns the position of the last event as head', async () => {
    const { position } = await appended(store(), {
      streamId: newStreamId(),
      expectedRevision: NO_STREAM,
      events: newEvents(3),
    });
    expect(await store().head()).toBe(position);
  });

  it('reads all events in pages, each once and with ascending positions', async () => {
    const after = await store().head();
    const events = newEvents(25);
    for (const event of events) {
      await appended(store(), { streamId: newStreamId(), expectedRevision: NO_STREAM, events: [event] });
    }
    for (const limit of [1, 7, 25, 1000]) {
      const read = await readFrom(store(), after, limit);
      expect(read.map(asWritten)).toEqual(events);
      const positions = read.map(({ position }) => position);
      expect(positions.toSorted()).toEqual(positions);
      expect(new Set(positions).size).toBe(25);
      expect(after === undefined || after < (positions[0] ?? '')).toBe(true);
    }
  });

  it('numbers all events, whether its positions do or the events are counted', async () => {
    await appended(store(), {
      streamId: newStreamId(),
      expectedRevision: NO_STREAM,
      events: newEvents(1_003),
    });
    const head = (await store().head()) ?? '';
    const counting = { readAll: store().readAll.bind(store()), head: store().head.bind(store()) };
    for (const ordinals of [new LogOrdinals(store()), new LogOrdinals(counting)]) {
      const last = await ordinals.last();
      const events = await ordinals.readFrom(last - 1_001, 1_000_000);
      expect(events.map(({ ordinal }) => ordinal)).toEqual(events.map((_, index) => last - 1_001 + index));
      expect(events.at(-1)?.position).toBe(head);
      const middle = events[500];
      expect(middle && (await ordinals.ordinalOf(middle.position))).toBe(middle?.ordinal);
      expect(middle && (await ordinals.readFrom(middle.ordinal, 1))).toEqual([middle]);
      expect(await ordinals.readFrom(last + 1, 10)).toEqual([]);
      const [first] = await store().readAll({ limit: 1 });
      expect(await ordinals.readFrom(1, 1)).toEqual([{ ...first, ordinal: 1 }]);
    }
  });

  it('reads up to and including a position', async () => {
    const streamId = newStreamId();
    const after = await store().head();
    await appended(store(), { streamId, expectedRevision: NO_STREAM, events: newEvents(6) });
    const events = await readFrom(store(), after);
    const until = events[3]?.position ?? '';
    const from = events[0]?.position ?? '';
    const read = await store().readAll({ after: from, until, limit: 100 });
    expect(read.map(({ revision }) => revision)).toEqual([1, 2, 3]);
    expect(await store().readAll({ after: until, until, limit: 100 })).toEqual([]);
    expect(await store().readAll({ after: until, until: from, limit: 100 })).toEqual([]);
  });

  it('reads nothing after its head', async () => {
    await appended(store(), { streamId: newStreamId(), expectedRevision: NO_STREAM, events: newEvents(1) });
    const after = (await store().head()) ?? '';
    expect(await store().readAll({ after, limit: 10 })).toEqual([]);
  });

  it('counts events after a position up to a maximum', async () => {
    const after = await store().head();
    const events = newEvents(7);
    await appended(store(), { streamId: newStreamId(), expectedRevision: NO_STREAM, events });
    expect(await store().countAfter(after, 1000)).toBe(7);
    expect(await store().countAfter(after, 5)).toBe(5);
    expect(await store().countAfter(await store().head(), 1000)).toBe(0);
  });

  it('reads the same events from their stream and from the log', async () => {
    const streamId = newStreamId();
    const after = await store().head();
    await appended(store(), { streamId, expectedRevision: NO_STREAM, events: newEvents(3) });
    expect(await readFrom(store(), after)).toEqual(await store().readStream(streamId));
  });

  it('keeps the order of a stream in the log', async () => {
    const after = await store().head();
    const streams = Array.from({ length: 5 }, newStreamId);
    await Promise.all(
      Array.from({ length: 60 }, (_, n) =>
        appended(store(), { streamId: streams[n % 5] ?? '', expectedRevision: 'any', events: newEvents(2) }),
      ),
    );
    const read = await readFrom(store(), after, 13);
    for (const streamId of streams) {
      const revisions = read.filter((event) => event.streamId === streamId).map(({ revision }) => revision);
      expect(revisions).toEqual(Array.from({ length: 24 }, (_, n) => n));
    }
  });

  it.each([-1, 0.5, NaN])('rejects the limit %d', async (limit) => {
    await expect(store().readAll({ limit })).rejects.toThrow(RangeError);
  });

  it('rejects a position of another store', async () => {
    await expect(store().readAll({ after: 'elsewhere', limit: 1 })).rejects.toThrow(RangeError);
  });

  it('isolates readers from changes by other readers', async () => {
    const streamId = newStreamId();
    await appended(store(), { streamId, expectedRevision: NO_STREAM, events: newEvents(1) });
    const [event] = await store().readStream(streamId);
    // Fails on a frozen object and succeeds on a copy; neither may change the log.
    Reflect.set(event?.data ?? {}, 'n', 99);
    expect(await store().readStream(streamId)).toMatchObject([{ data: { n: 0 } }]);
  });
}
