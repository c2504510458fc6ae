import { expect, it } from '@jest/globals';
import type { EventStore, NewEvent, Position } from '../port.js';
import { type ContractLog, isAbsent } from './contract-log.js';
import { readPage } from '../read-page.js';
import { appended, collect, newEvent, newEvents, newStreamId, readFrom } from './event-fixtures.js';

const NO_STREAM = 'no-stream';

export function describeSubscribing(store: () => EventStore, log: () => ContractLog): void {
  it('delivers existing events and then new ones', async () => {
    const after = await store().head();
    const before = newEvents(3);
    const later = newEvents(3);
    await appended(store(), { streamId: newStreamId(), expectedRevision: NO_STREAM, events: before });
    const onBatch = once(() =>
      appended(store(), { streamId: newStreamId(), expectedRevision: 'any', events: later }),
    );
    const seen = await collect(store(), { after, until: idsOf(later), onBatch });
    expect(idsOf(seen)).toEqual(idsOf([...before, ...later]));
  });

  it.each([1, 3, 500])('delivers batches of at most %d events', async (batchSize) => {
    const after = await store().head();
    const events = newEvents(20);
    await appended(store(), { streamId: newStreamId(), expectedRevision: NO_STREAM, events });
    const sizes: number[] = [];
    const onBatch = (batch: readonly unknown[]): void => void sizes.push(batch.length);
    const seen = await collect(store(), { after, batchSize, until: idsOf(events), onBatch });
    expect(idsOf(seen)).toEqual(idsOf(events));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(batchSize);
  });

  it('starts after a position in the middle', async () => {
    const after = await store().head();
    const events = newEvents(10);
    await appended(store(), { streamId: newStreamId(), expectedRevision: NO_STREAM, events });
    const middle = (await readFrom(store(), after))[4]?.position;
    const seen = await collect(store(), { after: middle, until: idsOf(events.slice(5)) });
    expect(idsOf(seen)).toEqual(idsOf(events.slice(5)));
  });

  it('delivers only later events to a subscription that starts beyond the head', async () => {
    await appended(store(), { streamId: newStreamId(), expectedRevision: NO_STREAM, events: newEvents(1) });
    const head = (await store().head()) ?? '';
    // As when the log was restored from a backup older than a checkpoint.
    const after = head.replace(/\d+/g, (digits) =>
      String(BigInt(digits) + 150n).padStart(digits.length, '0'),
    );
    expect([await store().readAll({ after, limit: 10 }), await store().countAfter(after, 10)]).toEqual([
      [],
      0,
    ]);
    const events = newEvents(160);
    const until = idsOf(events.slice(-1));
    const [seen] = await Promise.all([
      collect(store(), { after, until }),
      appended(store(), { streamId: newStreamId(), expectedRevision: NO_STREAM, events }),
    ]);
    const written = await readFrom(store(), head);
    expect(idsOf(seen)).toEqual(idsOf(written.filter(({ position }) => position > after)));
    expect(seen.length).toBeLessThan(160);
  });

  it('keeps one order across group, byte and page limits', async () => {
    const after = await store().head();
    const text = 'é'.repeat(60_000);
    // Concurrent small and large appends: more than the 64 appends and 4 MB of one group.
    const appends = Array.from({ length: 100 }, (_, index) => ({
      streamId: newStreamId(),
      expectedRevision: NO_STREAM,
      events: [newEvent({ index, text: index % 2 === 0 ? text : '' }), newEvent({ index })],
    })) as { streamId: string; expectedRevision: 'no-stream'; events: NewEvent[] }[];
    await Promise.all(appends.map((append) => appended(store(), append)));
    const written = await readFrom(store(), after);
    const order = idsOf(written);
    expect(order.toSorted()).toEqual(idsOf(appends.flatMap(({ events }) => events)).toSorted());
    for (const { events } of appends) {
      const [first, second] = events.map(({ id }) => order.indexOf(id));
      expect(second).toBe((first ?? 0) + 1);
    }
    expect(idsOf(await readFrom(store(), after, 7))).toEqual(order);
    for (const batchSize of [3, 500])
      expect(idsOf(await collect(store(), { after, batchSize, until: order }))).toEqual(order);
    expect(await readByBytes(store(), after, 200_000)).toEqual(order);
  });

  it('delivers every event once and in order to every subscriber during concurrent batch writes', async () => {
    const after = await store().head();
    const writers = Array.from({ length: 8 }, (_, writer) => batchesOfAppends(10, writer));
    const all = idsOf(writers.flat(2).flatMap(({ events }) => events));
    const subscribers = [1, 7, 64, 500].map((batchSize) =>
      collect(store(), { after, batchSize, until: all }),
    );
    const other = log().connect();
    await Promise.all(
      writers.map(async (batches, index) => {
        for (const batch of batches) await (index % 2 === 0 ? store() : other).append(batch);
      }),
    );
    const expected = idsOf(await readFrom(store(), after));
    for (const seen of await Promise.all(subscribers)) expect(idsOf(seen)).toEqual(expected);
    expect(expected.toSorted()).toEqual(all.toSorted());
    if (other !== store()) await other.close();
  });

  it('waits for a slow subscriber without skipping events', async () => {
    const after = await store().head();
    const events = newEvents(300);
    const writing = (async () => {
      for (const event of events) {
        await appended(store(), { streamId: newStreamId(), expectedRevision: NO_STREAM, events: [event] });
      }
    })();
    const onBatch = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    const seen = await collect(store(), { after, batchSize: 5, until: idsOf(events), onBatch });
    await writing;
    expect(idsOf(seen)).toEqual(idsOf(events));
  });

  it('ends when the signal aborts, both while waiting and before starting', async () => {
    const after = await store().head();
    const controller = new AbortController();
    const waiting = drain(store(), after, controller.signal);
    controller.abort();
    expect(await waiting).toBe(0);
    expect(await drain(store(), undefined, AbortSignal.abort())).toBe(0);
  });

  it('ends when its consumer stops iterating', async () => {
    const after = await store().head();
    await appended(store(), { streamId: newStreamId(), expectedRevision: NO_STREAM, events: newEvents(5) });
    let batches = 0;
    const subscription = store().subscribe({
      signal: new AbortController().signal,
      batchSize: 1,
      ...from(after),
    });
    for await (const batch of subscription) {
      batches += batch.length;
      break;
    }
    expect(batches).toBe(1);
  });

  it('propagates a consumer error only to that consumer', async () => {
    const after = await store().head();
    const events = newEvents(2);
    await appended(store(), { streamId: newStreamId(), expectedRevision: NO_STREAM, events });
    const fail = (): never => {
      throw new Error('the consumer failed');
    };
    await expect(collect(store(), { after, until: idsOf(events), onBatch: fail })).rejects.toThrow(
      'the consumer failed',
    );
    expect(idsOf(await collect(store(), { after, until: idsOf(events) }))).toEqual(idsOf(events));
  });

  it('never delivers an event twice across many short subscriptions', async () => {
    let after = await store().head();
    const events = newEvents(12);
    await appended(store(), { streamId: newStreamId(), expectedRevision: NO_STREAM, events });
    const seen: string[] = [];
    while (seen.length < events.length) {
      const missing = events.find(({ id }) => !seen.includes(id));
      const batch = await collect(store(), { after, batchSize: 5, until: missing ? [missing.id] : [] });
      seen.push(...idsOf(batch));
      after = batch.at(-1)?.position;
    }
    expect(seen).toEqual(idsOf(events));
  });

  describeAnomalies(store, log);
}

function describeAnomalies(store: () => EventStore, log: () => ContractLog): void {
  it.each(['commit', 'rollback'] as const)(
    'skips no event when an append is held open during other appends: %s',
    async (ending) => {
      const after = await store().head();
      const streamId = newStreamId();
      const { holdAppend } = log();
      const held = isAbsent(holdAppend) ? undefined : await holdAppend(streamId);
      const events = newEvents(20);
      const until = idsOf(events);
      const watching = collect(store(), { after, until });
      const appends = events.map((event) =>
        appended(store(), { streamId: newStreamId(), expectedRevision: NO_STREAM, events: [event] }),
      );
      await held?.[ending]();
      await Promise.all(appends);
      const seen = await watching;
      expect(idsOf(seen)).toEqual(idsOf(await readFrom(store(), after)));
      const isWritten = held !== undefined && ending === 'commit';
      expect(await store().readStream(streamId)).toHaveLength(isWritten ? 1 : 0);
    },
  );

  it('delivers new events while a write transaction elsewhere stays open', async () => {
    const { writeElsewhere } = log();
    const end = isAbsent(writeElsewhere) ? undefined : await writeElsewhere();
    try {
      const after = await store().head();
      const event = newEvent();
      const watching = collect(store(), { after, until: [event.id] });
      await appended(store(), { streamId: newStreamId(), expectedRevision: NO_STREAM, events: [event] });
      expect(idsOf(await watching)).toEqual([event.id]);
    } finally {
      await end?.();
    }
  });
}

function idsOf(events: readonly { readonly id: string }[]): string[] {
  return events.map(({ id }) => id);
}

function from(after: Position | undefined): { after?: Position } {
  return after === undefined ? {} : { after };
}

function once(action: () => Promise<unknown>): () => Promise<void> {
  let isDone = false;
  return async () => {
    if (isDone) return;
    isDone = true;
    await action();
  };
}

async function drain(store: EventStore, after: Position | undefined, signal: AbortSignal): Promise<number> {
  let count = 0;
  for await (const batch of store.subscribe({ signal, ...from(after) })) count += batch.length;
  return count;
}

interface NewAppend {
  readonly streamId: string;
  readonly expectedRevision: 'no-stream';
  readonly events: NewEvent[];
}

/** Batches of one to six appends of one to four events; the sizes start at a different point for each writer. */
function batchesOfAppends(count: number, writer: number): NewAppend[][] {
  return Array.from({ length: count }, (_batch, batch) =>
    Array.from({ length: 1 + ((writer + batch) % 6) }, (_append, append) => ({
      streamId: newStreamId(),
      expectedRevision: NO_STREAM,
      events: newEvents(1 + ((batch + append) % 4)),
    })),
  );
}

/** Ids of all events after a position, read in pages bounded by bytes. */
async function readByBytes(
  store: EventStore,
  after: Position | undefined,
  maxBytes: number,
): Promise<string[]> {
  const ids: string[] = [];
  let last = after;
  for (;;) {
    const { events, isLast } = await readPage(store, {
      limit: 1_000,
      maxBytes,
      ...(last !== undefined && { after: last }),
    });
    ids.push(...idsOf(events));
    last = events.at(-1)?.position ?? last;
    if (isLast) return ids;
  }
}
