import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@nimo/testing';
import {
  appended,
  appendOne,
  collect,
  newEvent,
  newEvents,
  newStreamId,
  readFrom,
} from '../contract/event-fixtures.js';
import { APPEND_LIMITS } from '../prepare-append.js';
import { type Append, EventStoreUnavailableError, InvalidAppendError } from '../port.js';
import { EventStoreDbEventStore, type EventStoreDbOptions } from './eventstoredb-event-store.js';
import type { AvailabilityListener } from './availability.js';
import type { AppendFault } from './testing/append-faults.js';
import { type DoubleOptions, EventStoreDbDouble } from './testing/eventstoredb-double.js';

/** Longer than any call on a busy machine. */
const LONG_MS = 120_000;
/** Expires quickly without a response. It may also expire early on a slow machine, so callers retry. */
const SHORT_MS = 200;

const newAppend = (count = 1): Append => ({
  streamId: newStreamId(),
  expectedRevision: 'no-stream',
  events: newEvents(count),
});

/** Uses the wire-level double, since a real server cannot produce these failures on demand. */
describe.each([
  ['with batch append', true],
  ['with single appends', false],
])('EventStoreDB failures, %s', (_, isBatching) => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });
  async function start(options: DoubleOptions = {}): Promise<EventStoreDbDouble> {
    const double = await EventStoreDbDouble.start({ isBatching, ...options });
    closing.push(() => double.stop());
    return double;
  }
  function open(
    connectionString: string,
    deadlineMs = LONG_MS,
    streamPrefixes?: readonly string[],
  ): EventStoreDbEventStore {
    const store = new EventStoreDbEventStore({ connectionString, deadlineMs, streamPrefixes });
    closing.push(() => store.close());
    return store;
  }

  it('accepts every connection scheme', async () => {
    const double = await start();
    for (const scheme of ['esdb', 'esdb+discover', 'kurrentdb', 'kurrentdb+discover']) {
      const store = open(double.connectionString.replace('esdb', scheme));
      expect(await appendOne(store, newAppend())).toMatchObject({ kind: 'appended' });
    }
  });

  describe('append', () => {
    it.each<[string, AppendFault]>([
      ['the connection breaks before the write', { kind: 'drops-before' }],
      ['the connection breaks after the write', { kind: 'drops-after' }],
      ['the server times out', { kind: 'times-out' }],
      ['the server is not ready', { kind: 'not-ready' }],
      ['the server knows no leader', { kind: 'no-leader' }],
    ])('writes once although %s three times', async (_case, fault) => {
      const double = await start();
      const store = open(double.connectionString);
      const append = newAppend(3);
      double.failAppends(fault, fault, fault);
      expect(await appended(store, append)).toMatchObject({ revision: 2 });
      expect(await store.readStream(append.streamId)).toHaveLength(3);
    });

    it.each([true, false])(
      'fails as unavailable without a response, and can be retried (written: %s)',
      async (isWritten) => {
        const double = await start();
        const store = open(double.connectionString, SHORT_MS);
        const append = newAppend(2);
        double.failAppends({ kind: 'no-response', isWritten });
        await expect(store.append([append])).rejects.toThrow(EventStoreUnavailableError);
        expect(await retried(() => appended(store, append))).toMatchObject({ revision: 1 });
        expect(await retried(() => readFrom(store, undefined))).toHaveLength(2);
      },
    );

    it('fails immediately on a permanent error', async () => {
      const double = await start();
      const store = open(double.connectionString);
      const append = newAppend();
      double.failAppends({ kind: 'denies-access' });
      await expect(store.append([append])).rejects.toThrow('the event log denied access');
      expect(await store.readStream(append.streamId)).toEqual([]);
      expect(double.written).toBe(0);
    });

    it('fails as unavailable after the deadline while the server is down, and works when it is back', async () => {
      const double = await start();
      const store = open(double.connectionString, SHORT_MS);
      const first = newAppend();
      await retried(() => appended(store, first));
      await double.stop();
      await expect(store.append([newAppend()])).rejects.toThrow(EventStoreUnavailableError);
      await expect(store.head()).rejects.toThrow(EventStoreUnavailableError);
      const later = await start({ port: double.port });
      const laterStore = open(later.connectionString);
      expect(await appendOne(laterStore, newAppend())).toMatchObject({ kind: 'appended' });
      const append = newAppend();
      await retried(() => store.append([append]));
      expect(await laterStore.readStream(append.streamId)).toHaveLength(1);
    });
  });

  it('writes appends in flight once when errors repeatedly reject all of them', async () => {
    const double = await start();
    const store = open(double.connectionString);
    const appends = Array.from({ length: 400 }, () => newAppend(2));
    let settled = 0;
    const writing = appends.map(async (append, index) => {
      // Staggered, so that appends begin while others fail.
      for (let turn = 0; turn < index % 40; turn++) await new Promise((resolve) => setImmediate(resolve));
      await appended(store, append);
      if (++settled % 50 === 0) double.breakAll();
    });
    double.failAppends({ kind: 'drops-after' }, { kind: 'drops-before' }, { kind: 'drops-after' });
    await Promise.all(writing);
    const written = await readFrom(store, undefined, 1000);
    expect(written).toHaveLength(800);
    expect(new Set(written.map(({ id }) => id)).size).toBe(800);
  });

  it('takes the position of the last event from the response without reading', async () => {
    const double = await start();
    const store = open(double.connectionString);
    const append = newAppend(5);
    const { position } = await appended(store, append);
    expect(await appended(store, append)).toMatchObject({ position });
    expect(double.reads.eventsScanned).toBe(0);
    expect((await store.readStream(append.streamId)).at(-1)?.position).toBe(position);
  });

  it('ignores streams of other applications on the same server', async () => {
    const double = await start();
    const store = open(double.connectionString, LONG_MS, ['vote-', 'avatars']);
    const others = open(double.connectionString);
    const own: string[] = [];
    for (const streamId of ['orders-1', 'vote-1', 'votes', 'avatars', 'orders-2']) {
      const append = { ...newAppend(2), streamId };
      await appended(others, append);
      if (['vote-1', 'avatars'].includes(streamId)) own.push(...append.events.map(({ id }) => id));
    }
    const idsOf = (events: readonly { readonly id: string }[]): string[] => events.map(({ id }) => id);
    expect(idsOf(await readFrom(store, undefined))).toEqual(own);
    expect(idsOf(await collect(store, { after: undefined, until: own }))).toEqual(own);
    expect(await store.countAfter(undefined, 100)).toBe(own.length);
    expect(await store.head()).toBe((await readFrom(store, undefined)).at(-1)?.position);
    expect(await readFrom(others, undefined)).toHaveLength(10);
  });

  describe('a leader change', () => {
    it('is followed by appends and reads, in both directions', async () => {
      const first = await start();
      const second = await first.startNode();
      closing.push(() => second.stop());
      const store = open(first.connectionString);
      await appended(store, newAppend());
      first.follow(second);
      const append = newAppend(2);
      await appended(store, append);
      expect(second.written).toBe(1);
      expect(await store.readStream(append.streamId)).toHaveLength(2);
      first.follow(undefined);
      second.follow(first);
      await appended(store, newAppend());
      expect(first.written).toBe(2);
      expect(await readFrom(store, undefined)).toHaveLength(4);
    });

    it('loses and duplicates no events during writes, and subscriptions continue', async () => {
      const nodes = [await start()];
      const [first] = nodes;
      if (!first) throw new TypeError('a node was started');
      const second = await first.startNode();
      closing.push(() => second.stop());
      const store = open(first.connectionString);
      const appends = Array.from({ length: 120 }, () => newAppend());
      const ids = appends.flatMap(({ events }) => events.map(({ id }) => id));
      const watching = collect(store, { after: undefined, until: ids });
      const elect = (leader: EventStoreDbDouble, other: EventStoreDbDouble): void => {
        leader.follow(undefined);
        other.follow(leader);
        other.breakAll();
      };
      for (const [index, append] of appends.entries()) {
        if (index % 30 === 10) elect(second, first);
        if (index % 30 === 25) elect(first, second);
        await appended(store, append);
      }
      expect((await watching).map(({ id }) => id)).toEqual(ids);
      expect(second.written).toBeGreaterThan(0);
    });

    it.each(['esdb:', 'esdb+discover:'])(
      'is survived with a list of nodes when the leader never returns (%s)',
      async (scheme) => {
        const first = await start();
        const second = await first.startNode();
        closing.push(() => second.stop());
        second.follow(first);
        const list = `${scheme}//127.0.0.1:${first.port},127.0.0.1:${second.port}?tls=false`;
        const store = open(list);
        const [before, after] = [newAppend(), newAppend(2)];
        const ids = [before, after].flatMap(({ events }) => events.map(({ id }) => id));
        const watching = collect(store, { after: undefined, until: ids });
        await appended(store, before);
        expect(first.written).toBe(1);
        await first.stop();
        second.follow(undefined);
        await appended(store, after);
        expect(second.written).toBe(1);
        expect(await store.readStream(after.streamId)).toHaveLength(2);
        expect((await watching).map(({ id }) => id)).toEqual(ids);
      },
    );

    it('is discovered after the whole cluster was down', async () => {
      const gone = await start();
      const address = gone.connectionString.replace('esdb:', 'esdb+discover:');
      await gone.stop();
      const store = open(address, SHORT_MS);
      await expect(store.append([newAppend()])).rejects.toThrow(EventStoreUnavailableError);
      await start({ port: gone.port });
      const append = newAppend();
      await retried(() => store.append([append]));
      expect(await retried(() => store.readStream(append.streamId))).toHaveLength(1);
    });
  });

  describe('limits', () => {
    it('are lower than those of the server, including event types', async () => {
      const double = await start();
      const store = open(double.connectionString);
      const type = 'T'.repeat(256);
      // Each event counts 512 bytes for its type and 156 for data and metadata.
      const maxEvents = Math.floor(APPEND_LIMITS.bytes / (512 + 156));
      const events = Array.from({ length: maxEvents }, () => ({
        ...newEvent({ text: 'x'.repeat(90) }),
        type,
      }));
      const append: Append = { streamId: newStreamId(), expectedRevision: 'no-stream', events };
      const { kind } = await appendOne(store, append);
      expect(kind).toBe('appended');
      const more = {
        ...newAppend(),
        events: [...events, ...newEvents(20).map((event) => ({ ...event, type }))],
      };
      await expect(store.append([more])).rejects.toThrow(/bytes of events, more than 1016384/);
      await expect(store.append([more])).rejects.toThrow(InvalidAppendError);
    });

    it('of the server are reported when they are lower, and nothing is written partially', async () => {
      const double = await start();
      const store = open(double.connectionString);
      double.limitAppends(2_000);
      const append = { ...newAppend(), events: [newEvent(), newEvent({ text: 'x'.repeat(3_000) })] };
      await expect(store.append([append])).rejects.toThrow(InvalidAppendError);
      await expect(store.append([append])).rejects.toThrow(/limit of 2000 bytes.*nothing was written/);
      expect(await store.readStream(append.streamId)).toEqual([]);
      expect(await appendOne(store, newAppend())).toMatchObject({ kind: 'appended' });
    });
  });

  it('recovers from failed feature discovery', async () => {
    const double = await start();
    double.failFeatures(2);
    expect(await appendOne(open(double.connectionString), newAppend())).toMatchObject({ kind: 'appended' });
  });

  describe('read', () => {
    it('fails as unavailable without a response, and can be retried', async () => {
      const double = await start();
      const store = open(double.connectionString, SHORT_MS);
      const append = newAppend(3);
      await retried(() => appended(store, append));
      double.reads.ignoreCalls(1);
      await expect(store.readStream(append.streamId)).rejects.toThrow(EventStoreUnavailableError);
      expect(await retried(() => store.readStream(append.streamId))).toHaveLength(3);
    });
  });
});

describe('EventStoreDB outages', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });
  async function start(options: DoubleOptions = {}): Promise<EventStoreDbDouble> {
    const double = await EventStoreDbDouble.start(options);
    closing.push(() => double.stop());
    return double;
  }
  function open(
    connectionString: string,
    options: Partial<EventStoreDbOptions> = {},
  ): EventStoreDbEventStore {
    const store = new EventStoreDbEventStore({ connectionString, deadlineMs: LONG_MS, ...options });
    closing.push(() => store.close());
    return store;
  }
  const recordAvailability = (): { readonly listener: AvailabilityListener; readonly log: string[] } => {
    const log: string[] = [];
    const listener: AvailabilityListener = {
      onUnavailable: (cause) =>
        log.push(`unavailable: ${cause instanceof Error ? cause.message : String(cause)}`),
      onAvailable: (failures) => log.push(failures > 0 ? 'back' : 'back without failures'),
    };
    return { listener, log };
  };

  it('make appends and subscriptions leave a frozen leader for its successor', async () => {
    const first = await start({ isFreezable: true });
    const second = await first.startNode();
    closing.push(() => second.stop());
    second.follow(first);
    const { listener, log } = recordAvailability();
    const store = open(`esdb://127.0.0.1:${first.port},127.0.0.1:${second.port}?tls=false`, {
      keepAlive: { intervalMs: 100, timeoutMs: 2_000 },
      availabilityListener: listener,
    });
    const [before, after] = [newAppend(), newAppend(2)];
    const ids = [before, after].flatMap(({ events }) => events.map(({ id }) => id));
    const watching = collect(store, { after: undefined, until: ids });
    await appended(store, before);
    expect(await store.readStream(before.streamId)).toHaveLength(1);
    first.freeze();
    second.follow(undefined);
    await appended(store, after);
    expect(await store.readStream(after.streamId)).toHaveLength(2);
    expect((await watching).map(({ id }) => id)).toEqual(ids);
    expect(second.written).toBe(1);
    expect(log[0]).toMatch(/^unavailable: /);
    first.thaw();
  });

  it('are reported once, with their cause and the recovery', async () => {
    const gone = await start();
    const { port, connectionString } = gone;
    const { listener, log } = recordAvailability();
    const store = open(connectionString, { deadlineMs: 2_000, availabilityListener: listener });
    await store.head();
    expect(log).toEqual([]);
    await gone.stop();
    for (let times = 0; times < 3; times++)
      await expect(store.head()).rejects.toThrow(EventStoreUnavailableError);
    expect(log).toHaveLength(1);
    expect(log[0]).toMatch(/^unavailable: .*(?:ECONNREFUSED|Connection dropped|UNAVAILABLE)/);
    await start({ port });
    await retried(() => store.head());
    expect(log.slice(1)).toEqual(['back']);
  });

  describe('and closing', () => {
    it('rejects a pending read immediately', async () => {
      const double = await start();
      const store = open(double.connectionString);
      await store.head();
      const { calls } = double.reads;
      double.reads.ignoreCalls(1);
      const reading = expect(store.head()).rejects.toThrow('the event store is closed');
      await eventually(() => double.reads.calls > calls);
      await store.close();
      await reading;
    });

    it('stops retries immediately', async () => {
      const gone = await start();
      await gone.stop();
      const { listener, log } = recordAvailability();
      const store = open(gone.connectionString, { availabilityListener: listener });
      const reading = expect(store.head()).rejects.toThrow('the event store is closed');
      const append = expect(store.append([newAppend()])).rejects.toThrow(EventStoreUnavailableError);
      await eventually(() => log.length > 0);
      await store.close();
      await Promise.all([reading, append]);
      await expect(store.head()).rejects.toThrow('the event store is closed');
    });

    it('does not wait for an append without a response', async () => {
      const double = await start();
      const store = open(double.connectionString);
      double.failAppends({ kind: 'no-response', isWritten: true });
      const append = expect(store.append([newAppend()])).rejects.toThrow(EventStoreUnavailableError);
      await eventually(() => double.written > 0);
      await store.close();
      await append;
    });
  });
});

describe('EventStoreDB with system events', () => {
  const closing: (() => Promise<void>)[] = [];
  afterEach(async () => {
    for (const close of closing.splice(0).toReversed()) await close();
  });
  async function start(
    deadlineMs = LONG_MS,
  ): Promise<{ double: EventStoreDbDouble; store: EventStoreDbEventStore }> {
    const double = await EventStoreDbDouble.start();
    const store = new EventStoreDbEventStore({ connectionString: double.connectionString, deadlineMs });
    closing.push(
      () => double.stop(),
      () => store.close(),
    );
    return { double, store };
  }
  const appendSystemEvents = (double: EventStoreDbDouble, events: number): void => {
    for (let n = 0; n < events; n++) double.appendSystemEvent();
  };

  it('hides system events and does not count them towards limits', async () => {
    const { double, store } = await start();
    appendSystemEvents(double, 100);
    expect(await store.head()).toBeUndefined();
    const { position } = await appended(store, newAppend(3));
    appendSystemEvents(double, 100);
    expect(await store.head()).toBe(position);
    expect(await readFrom(store, undefined, 2)).toHaveLength(3);
  });

  it('does not scan system events again to find the head', async () => {
    const { double, store } = await start();
    const { position } = await appended(store, newAppend());
    appendSystemEvents(double, 5_000);
    expect(await store.head()).toBe(position);
    appendSystemEvents(double, 10);
    const before = double.reads.eventsScanned;
    expect(await store.head()).toBe(position);
    expect(double.reads.eventsScanned - before).toBeLessThan(100);
    const { position: later } = await appended(store, newAppend());
    expect(await store.head()).toBe(later);
  });

  it('resumes a subscription after the filtered events without skipping any', async () => {
    const { double, store } = await start();
    const [first, second, third] = [newAppend(), newAppend(2), newAppend()];
    const ids = [first, second, third].flatMap(({ events }) => events.map(({ id }) => id));
    const watching = collect(store, { after: undefined, batchSize: 1, until: ids });
    await appended(store, first);
    appendSystemEvents(double, 1_000);
    await eventually(() => double.reads.eventsScanned >= 1_000);
    const { subscribedFrom } = double.reads;
    // It resumes after the last checkpoint, which may still be on its way.
    await eventually(
      async () => {
        const { length } = subscribedFrom;
        await delay(100);
        double.breakReads();
        await eventually(() => subscribedFrom.length > length);
        return subscribedFrom.at(-1) ?? 0;
      },
      (position) => position > 900 * 137,
    );
    await appended(store, second);
    double.breakReads();
    await appended(store, third);
    expect((await watching).map(({ id }) => id)).toEqual(ids);
    expect(subscribedFrom[0]).toBeUndefined();
  });

  it('resubscribes when the server does not confirm a subscription', async () => {
    const { double, store } = await start(SHORT_MS);
    const append = newAppend();
    await retried(() => appended(store, append));
    double.reads.ignoreCalls(2);
    const seen = await collect(store, { after: undefined, until: append.events.map(({ id }) => id) });
    expect(seen).toHaveLength(1);
  });
});

/** Retries while the store is unavailable. */
async function retried<T>(action: () => Promise<T>): Promise<T> {
  const outcome = await eventually(
    () =>
      action().then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      ),
    (attempt) => !('error' in attempt && attempt.error instanceof EventStoreUnavailableError),
  );
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}
