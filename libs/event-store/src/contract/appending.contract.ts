import { expect, it } from '@jest/globals';
import { type EventStore, InvalidAppendError, type JsonObject, type NewEvent } from '../port.js';
import { type ContractLog, isAbsent } from './contract-log.js';
import { appended, appendOne, asWritten, newEvent, newEvents, newStreamId } from './event-fixtures.js';

const NO_STREAM = 'no-stream';

export function describeAppending(store: () => EventStore, log: () => ContractLog): void {
  it('assigns revision 0 to the first event of a stream', async () => {
    const outcome = await appended(store(), {
      streamId: newStreamId(),
      expectedRevision: NO_STREAM,
      events: [newEvent()],
    });
    expect(outcome).toMatchObject({ revision: 0, duplicate: false });
  });

  it('returns the revision and position of the last of several events', async () => {
    const streamId = newStreamId();
    const outcome = await appended(store(), { streamId, expectedRevision: NO_STREAM, events: newEvents(3) });
    const events = await store().readStream(streamId);
    expect(outcome).toMatchObject({ revision: 2, position: events[2]?.position });
  });

  it('appends at the expected revision', async () => {
    const streamId = newStreamId();
    await appended(store(), { streamId, expectedRevision: NO_STREAM, events: newEvents(2) });
    expect(await appendOne(store(), { streamId, expectedRevision: 1, events: [newEvent()] })).toMatchObject({
      kind: 'appended',
      revision: 2,
    });
  });

  it('appends at any revision when none is expected', async () => {
    const streamId = newStreamId();
    await appended(store(), { streamId, expectedRevision: 'any', events: [newEvent()] });
    expect(
      await appended(store(), { streamId, expectedRevision: 'any', events: [newEvent()] }),
    ).toMatchObject({
      revision: 1,
    });
  });

  it.each([
    ['no stream, but it exists', NO_STREAM, 2, 1],
    ['an older revision', 0, 2, 1],
    ['a future revision', 5, 2, 1],
    ['a revision of a missing stream', 0, 0, null],
  ] as const)('reports a conflict: %s', async (_case, expectedRevision, present, actualRevision) => {
    const streamId = newStreamId();
    if (present > 0)
      await appended(store(), { streamId, expectedRevision: NO_STREAM, events: newEvents(present) });
    expect(await appendOne(store(), { streamId, expectedRevision, events: [newEvent()] })).toEqual({
      kind: 'conflict',
      actualRevision,
    });
    expect(await store().readStream(streamId)).toHaveLength(present);
  });

  it('returns an independent outcome for each append of a batch, in order', async () => {
    const [first, second, third] = [newStreamId(), newStreamId(), newStreamId()];
    const outcomes = await store().append([
      { streamId: first, expectedRevision: NO_STREAM, events: newEvents(2) },
      { streamId: second, expectedRevision: 7, events: newEvents(2) },
      { streamId: third, expectedRevision: 'any', events: newEvents(1) },
    ]);
    expect(outcomes).toEqual([
      expect.objectContaining({ kind: 'appended', revision: 1 }),
      { kind: 'conflict', actualRevision: null },
      expect.objectContaining({ kind: 'appended', revision: 0 }),
    ]);
    expect(await store().readStream(second)).toEqual([]);
  });

  it('appends several times to one stream in one batch, each after the previous one', async () => {
    const streamId = newStreamId();
    const outcomes = await store().append([
      { streamId, expectedRevision: NO_STREAM, events: newEvents(2) },
      { streamId, expectedRevision: 1, events: newEvents(1) },
      { streamId, expectedRevision: 1, events: newEvents(1) },
    ]);
    expect(outcomes).toMatchObject([
      { kind: 'appended', revision: 1 },
      { kind: 'appended', revision: 2 },
      { kind: 'conflict', actualRevision: 2 },
    ]);
  });

  it('keeps the order of a stream whose first append exceeds the byte limit of its group', async () => {
    const streamId = newStreamId();
    const heavy = (): NewEvent => newEvent({ text: 'x'.repeat(990_000) });
    const before = Array.from({ length: 4 }, () => ({ streamId: newStreamId(), events: [heavy()] }));
    const own = [heavy(), newEvent()].map((event) => ({ streamId, events: [event] }));
    await store().append([...before, ...own].map((append) => ({ ...append, expectedRevision: 'any' })));
    expect((await store().readStream(streamId)).map(({ id }) => id)).toEqual(
      own.flatMap(({ events }) => events.map(({ id }) => id)),
    );
  });

  it('returns no outcomes for no appends', async () => {
    expect(await store().append([])).toEqual([]);
  });

  it('lets exactly one of many concurrent writers at the same revision win', async () => {
    const streamId = newStreamId();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () =>
        appendOne(store(), { streamId, expectedRevision: NO_STREAM, events: newEvents(2) }),
      ),
    );
    expect(outcomes.filter(({ kind }) => kind === 'appended')).toHaveLength(1);
    expect(await store().readStream(streamId)).toHaveLength(2);
  });

  it('keeps revisions gapless and appends contiguous with many writers on one stream', async () => {
    const streamId = newStreamId();
    const other = log().connect();
    const appends = Array.from({ length: 40 }, (_, index) => newEvents(1 + (index % 4)));
    await Promise.all(
      appends.map((events, index) =>
        appended(index % 2 === 0 ? store() : other, { streamId, expectedRevision: 'any', events }),
      ),
    );
    const stream = await store().readStream(streamId);
    expect(stream.map(({ revision }) => revision)).toEqual(stream.map((_, index) => index));
    for (const events of appends) {
      const first = stream.findIndex(({ id }) => id === events[0]?.id);
      expect(stream.slice(first, first + events.length).map(asWritten)).toEqual(events);
    }
    if (other !== store()) await other.close();
  });

  it('writes 1000 events in one append', async () => {
    const streamId = newStreamId();
    const events = newEvents(1000);
    expect(await appended(store(), { streamId, expectedRevision: NO_STREAM, events })).toMatchObject({
      revision: 999,
    });
    expect((await store().readStream(streamId)).map(asWritten)).toEqual(events);
  });

  it('writes a batch of 200 appends', async () => {
    const appends = Array.from({ length: 200 }, () => ({
      streamId: newStreamId(),
      expectedRevision: NO_STREAM,
      events: newEvents(1),
    })) as { streamId: string; expectedRevision: 'no-stream'; events: ReturnType<typeof newEvents> }[];
    const outcomes = await store().append(appends);
    expect(outcomes.every(({ kind }) => kind === 'appended')).toBe(true);
    expect(
      new Set(outcomes.map((outcome) => (outcome.kind === 'appended' ? outcome.position : ''))).size,
    ).toBe(200);
  });

  describeIdempotency(store, log);
  describeContents(store);
  describeRejections(store);
}

function describeIdempotency(store: () => EventStore, log: () => ContractLog): void {
  it.each(['no-stream', 'any'] as const)(
    'writes the same event ids once (expected revision: %s)',
    async (expectedRevision) => {
      const append = { streamId: newStreamId(), expectedRevision, events: newEvents(3) };
      const first = await appended(store(), append);
      const again = await appended(store(), append);
      expect(again).toEqual({ ...first, duplicate: true });
      expect(await store().readStream(append.streamId)).toHaveLength(3);
    },
  );

  it('writes the same event ids once at a later revision, even after further appends', async () => {
    const streamId = newStreamId();
    await appended(store(), { streamId, expectedRevision: NO_STREAM, events: newEvents(2) });
    const append = { streamId, expectedRevision: 1, events: newEvents(2) };
    const first = await appended(store(), append);
    await appended(store(), { streamId, expectedRevision: 3, events: newEvents(1) });
    expect(await appended(store(), append)).toEqual({ ...first, duplicate: true });
    expect(await store().readStream(streamId)).toHaveLength(5);
  });

  it('writes the same append once when it is sent many times concurrently', async () => {
    const append = { streamId: newStreamId(), expectedRevision: NO_STREAM, events: newEvents(2) } as const;
    const outcomes = await Promise.all(Array.from({ length: 10 }, () => appended(store(), append)));
    expect(new Set(outcomes.map(({ position }) => position)).size).toBe(1);
    expect(await store().readStream(append.streamId)).toHaveLength(2);
  });

  it('reports a conflict for known event ids followed by a new one', async () => {
    const streamId = newStreamId();
    const events = newEvents(2);
    await appended(store(), { streamId, expectedRevision: NO_STREAM, events });
    expect(
      await appendOne(store(), { streamId, expectedRevision: NO_STREAM, events: [...events, newEvent()] }),
    ).toEqual({ kind: 'conflict', actualRevision: 1 });
    expect(await store().readStream(streamId)).toHaveLength(2);
  });

  it('keeps the first content when the same event ids are sent with different content', async () => {
    const [streamId, events] = [newStreamId(), newEvents(2)];
    const first = await appended(store(), { streamId, expectedRevision: NO_STREAM, events });
    // A store compares only ids, so callers must derive ids from the content.
    const other = events.map((event) => ({ ...event, data: { n: 'other' } }));
    expect(await appended(store(), { streamId, expectedRevision: NO_STREAM, events: other })).toEqual({
      ...first,
      duplicate: true,
    });
    expect((await store().readStream(streamId)).map(asWritten)).toEqual(events);
  });

  it('reports a conflict for known event ids expected at an earlier revision', async () => {
    const [streamId, events] = [newStreamId(), newEvents(3)];
    await appended(store(), { streamId, expectedRevision: NO_STREAM, events });
    for (const expectedRevision of [NO_STREAM, 0] as const)
      expect(await appendOne(store(), { streamId, expectedRevision, events: events.slice(2) })).toEqual({
        kind: 'conflict',
        actualRevision: 2,
      });
    expect(await store().readStream(streamId)).toHaveLength(3);
  });

  it('appends known event ids again only if event ids are not unique', async () => {
    const [streamId, events] = [newStreamId(), newEvents(2)];
    await appended(store(), { streamId, expectedRevision: NO_STREAM, events });
    const { kind } = await appendOne(store(), { streamId, expectedRevision: 1, events: events.slice(0, 1) });
    const isUnique = !isAbsent(log().uniqueEventIds);
    expect(kind).toBe(isUnique ? 'conflict' : 'appended');
    expect(await store().readStream(streamId)).toHaveLength(isUnique ? 2 : 3);
  });

  it('reports a conflict for known event ids in a different order', async () => {
    const streamId = newStreamId();
    const events = newEvents(2);
    await appended(store(), { streamId, expectedRevision: NO_STREAM, events });
    const outcome = await appendOne(store(), {
      streamId,
      expectedRevision: NO_STREAM,
      events: events.toReversed(),
    });
    expect(outcome).toEqual({ kind: 'conflict', actualRevision: 1 });
  });

  it('allows an event id in one stream only if event ids are unique', async () => {
    const event = newEvent();
    const [here, there] = [newStreamId(), newStreamId()];
    await appended(store(), { streamId: here, expectedRevision: NO_STREAM, events: [event] });
    const outcome = await appendOne(store(), {
      streamId: there,
      expectedRevision: NO_STREAM,
      events: [event],
    });
    expect(await store().readStream(here)).toHaveLength(1);
    const isUnique = !isAbsent(log().uniqueEventIds);
    expect(outcome.kind).toBe(isUnique ? 'conflict' : 'appended');
    expect(await store().readStream(there)).toHaveLength(isUnique ? 0 : 1);
  });

  it('returns a duplicate, a conflict and a success in one batch', async () => {
    const known = { streamId: newStreamId(), expectedRevision: NO_STREAM, events: newEvents(1) } as const;
    await appended(store(), known);
    const outcomes = await store().append([
      { streamId: newStreamId(), expectedRevision: 3, events: newEvents(1) },
      known,
      { streamId: newStreamId(), expectedRevision: NO_STREAM, events: newEvents(1) },
    ]);
    expect(outcomes).toMatchObject([
      { kind: 'conflict', actualRevision: null },
      { kind: 'appended', duplicate: true },
      { kind: 'appended', duplicate: false },
    ]);
  });
}

function describeContents(store: () => EventStore): void {
  const contents: [string, JsonObject][] = [
    ['nested values', { a: [1, null, true, { b: [] }], c: {} }],
    ['line breaks, quotes and backslashes', { text: 'a\nb\r\n"c"\\d\\n\t{},;\'$1' }],
    ['every script and emoji', { text: 'Grüße Ж 日本語 العربية 👩‍👩‍👧‍👦 \u2028\u2029\ufeff' }],
    ['control characters', { text: '\u0001\u0008\u001f\u007f' }],
    ['large and small numbers', { a: 1e308, b: 5e-324, c: Number.MAX_SAFE_INTEGER, d: -0.1, e: 1e21 }],
    ['arbitrary keys in their original order', { z: 1, a: 2, '': 3, 'a.b': 4, 'ключ"\n': 5 }],
    ['text that looks like JSON', { text: '{"a":1}', array: '[]', nil: 'null' }],
  ];
  it.each(contents)('reads back what was written: %s', async (_case, data) => {
    const streamId = newStreamId();
    const event = { ...newEvent(data), metadata: data };
    await appended(store(), { streamId, expectedRevision: NO_STREAM, events: [event] });
    const [read] = await store().readStream(streamId);
    expect(read && asWritten(read)).toStrictEqual(event);
    expect(Object.keys(read?.data ?? {})).toEqual(Object.keys(data));
  });

  it('stores an event of one megabyte', async () => {
    const streamId = newStreamId();
    const event = newEvent({ text: 'é'.repeat(499_900) });
    await appended(store(), { streamId, expectedRevision: NO_STREAM, events: [event] });
    expect((await store().readStream(streamId)).map(asWritten)).toEqual([event]);
  });

  it.each(['a b', 'ünï-çødé-日本', 'with/slash?and#hash', '{"a"},\\n', 'a\nb', "o'clock", '-', '👍'])(
    'supports a stream name with %j',
    async (name) => {
      const streamId = `${name}${newStreamId()}`;
      await appended(store(), { streamId, expectedRevision: NO_STREAM, events: [newEvent()] });
      expect(await store().readStream(streamId)).toMatchObject([{ streamId }]);
      expect(await store().readStream(`${streamId} `)).toEqual([]);
    },
  );
}

function describeRejections(store: () => EventStore): void {
  const cyclic: Record<string, unknown> = {};
  cyclic['self'] = cyclic;
  const rejected: [string, unknown, RegExp][] = [
    ['NUL', { a: { b: 'x\u0000' } }, /data\.a\.b/],
    ['a lone surrogate', { a: ['\ud800'] }, /data\.a\[0\]/],
    ['NUL in a key', { 'a\u0000': 1 }, /key of .*data/],
    ['-0', { a: -0 }, /data\.a.*-0/],
    ['NaN', { a: NaN }, /data\.a/],
    ['Infinity', { a: Infinity }, /data\.a/],
    ['undefined', { a: undefined }, /data\.a/],
    ['a date', { a: new Date() }, /data\.a/],
    ['a bigint', { a: 1n }, /data\.a/],
    ['a cycle', cyclic, /deeper/],
    ['an array instead of an object', [], /data/],
    ['an event over the size limit', { a: 'x'.repeat(1_100_000) }, /bytes/],
  ];
  it.each(rejected)('rejects %s', async (_case, data, message) => {
    const streamId = newStreamId();
    const append = { streamId, expectedRevision: NO_STREAM, events: [newEvent(data as JsonObject)] } as const;
    await expect(store().append([append])).rejects.toThrow(InvalidAppendError);
    await expect(store().append([append])).rejects.toThrow(message);
    expect(await store().readStream(streamId)).toEqual([]);
  });

  it.each([
    ['an append without events', { events: [] }],
    ['an id that is not a UUID', { events: [{ ...newEvent(), id: 'x' }] }],
    ['an empty type', { events: [{ ...newEvent(), type: '' }] }],
    ['a system type', { events: [{ ...newEvent(), type: '$metadata' }] }],
    ['a system stream', { streamId: '$all' }],
    ['an empty stream id', { streamId: '' }],
    ['a stream id that is too long', { streamId: 'x'.repeat(513) }],
    ['a negative revision', { expectedRevision: -1 }],
    ['a fractional revision', { expectedRevision: 0.5 }],
  ])('rejects %s and writes nothing of the batch', async (_case, broken) => {
    const streamId = newStreamId();
    const good = { streamId, expectedRevision: NO_STREAM, events: newEvents(1) } as const;
    const bad = {
      streamId: newStreamId(),
      expectedRevision: NO_STREAM,
      events: newEvents(1),
      ...broken,
    } as const;
    await expect(store().append([good, bad])).rejects.toThrow(InvalidAppendError);
    expect(await store().readStream(streamId)).toEqual([]);
  });

  it('rejects two appends that share an event id', async () => {
    const events = newEvents(1);
    const append = { expectedRevision: NO_STREAM, events } as const;
    await expect(
      store().append([
        { ...append, streamId: newStreamId() },
        { ...append, streamId: newStreamId() },
      ]),
    ).rejects.toThrow(InvalidAppendError);
  });
}
