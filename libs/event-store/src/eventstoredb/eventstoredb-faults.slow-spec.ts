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
import type { ReachabilityNews } from './reachability.js';
import type { AppendFault } from './testing/append-faults.js';
import { type DoubleOptions, EventStoreDbDouble } from './testing/eventstoredb-double.js';

/** Longer than any call takes on a busy machine. */
const LONG_MS = 120_000;
/** Passes soon where nobody answers. On a slow machine it may pass before an answer, so callers try again. */
const SHORT_MS = 200;

const newAppend = (count = 1): Append => ({
  streamId: newStreamId(),
  expectedRevision: 'no-stream',
  events: newEvents(count),
});

/** Failures of a server, shown by its double on the wire: a real one can neither be asked for them nor is one at hand. */
describe.each([
  ['over the batch append', true],
  ['over one call an append', false],
])('EventStoreDB failing, %s', (_, isBatching) => {
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

  it('is reached by either of its names', async () => {
    const double = await start();
    for (const scheme of ['esdb', 'esdb+discover', 'kurrentdb', 'kurrentdb+discover']) {
      const store = open(double.connectionString.replace('esdb', scheme));
      expect(await appendOne(store, newAppend())).toMatchObject({ kind: 'appended' });
    }
  });

  describe('an append', () => {
    it.each<[string, AppendFault]>([
      ['the connection broke before it was written', { kind: 'drops-before' }],
      ['the connection broke after it was written', { kind: 'drops-after' }],
      ['the server gave up in time', { kind: 'times-out' }],
      ['the server was not ready', { kind: 'is-not-ready' }],
      ['the server knew no leader', { kind: 'knows-no-leader' }],
    ])('is written once although %s, three times', async (_case, fault) => {
      const double = await start();
      const store = open(double.connectionString);
      const append = newAppend(3);
      double.failAppends(fault, fault, fault);
      expect(await appended(store, append)).toMatchObject({ revision: 2 });
      expect(await store.readStream(append.streamId)).toHaveLength(3);
    });

    it.each([true, false])(
      'fails as unavailable when no answer comes, and may be sent again (written: %s)',
      async (isWritten) => {
        const double = await start();
        const store = open(double.connectionString, SHORT_MS);
        const append = newAppend(2);
        double.failAppends({ kind: 'is-silent', isWritten });
        await expect(store.append([append])).rejects.toThrow(EventStoreUnavailableError);
        expect(await retried(() => appended(store, append))).toMatchObject({ revision: 1 });
        expect(await retried(() => readFrom(store, undefined))).toHaveLength(2);
      },
    );

    it('is refused at once where the server refuses it for good', async () => {
      const double = await start();
      const store = open(double.connectionString);
      const append = newAppend();
      double.failAppends({ kind: 'denies-access' });
      await expect(store.append([append])).rejects.toThrow('the event log denies access');
      expect(await store.readStream(append.streamId)).toEqual([]);
      expect(double.written).toBe(0);
    });

    it('fails as unavailable after its time while the server is away, and works when it is back', async () => {
      const double = await start();
      const store = open(double.connectionString, SHORT_MS);
      const first = newAppend();
      await retried(() => appended(store, first));
      await double.stop();
      await expect(store.append([newAppend()])).rejects.toThrow(EventStoreUnavailableError);
      await expect(store.head()).rejects.toThrow(EventStoreUnavailableError);
      const later = await start({ port: double.port });
      const patient = open(later.connectionString);
      expect(await appendOne(patient, newAppend())).toMatchObject({ kind: 'appended' });
      const append = newAppend();
      await retried(() => store.append([append]));
      expect(await patient.readStream(append.streamId)).toHaveLength(1);
    });
  });

  it('writes everything in flight once when one error rejects it all, again and again', async () => {
    const double = await start();
    const store = open(double.connectionString);
    const appends = Array.from({ length: 400 }, () => newAppend(2));
    let settled = 0;
    const writing = appends.map(async (append, index) => {
      // In waves, so that appends begin while others fail.
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

  it('knows from the answer where the last of several events is, without reading', async () => {
    const double = await start();
    const store = open(double.connectionString);
    const append = newAppend(5);
    const { position } = await appended(store, append);
    expect(await appended(store, append)).toMatchObject({ position });
    expect(double.reads.lookedAt).toBe(0);
    expect((await store.readStream(append.streamId)).at(-1)?.position).toBe(position);
  });

  it('leaves what others write on the same server to them', async () => {
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

  describe('a change of leaders', () => {
    it('is followed by appends and reads, and back', async () => {
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

    it('loses and doubles nothing while many write, and subscriptions go on', async () => {
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
      'is survived by whoever has a list of nodes (%s), though the leader is gone for good',
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

    it('is found by discovery after the whole cluster was away', async () => {
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
    it('of ours lie below those of the server, types counted', async () => {
      const double = await start();
      const store = open(double.connectionString);
      const type = 'T'.repeat(256);
      // Of each event the type counts 512 bytes, data and metadata 156.
      const most = Math.floor(APPEND_LIMITS.bytes / (512 + 156));
      const events = Array.from({ length: most }, () => ({ ...newEvent({ text: 'x'.repeat(90) }), type }));
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

    it('of the server are named when they are lower, and nothing is half done', async () => {
      const double = await start();
      const store = open(double.connectionString);
      double.limitAppends(2_000);
      const append = { ...newAppend(), events: [newEvent(), newEvent({ text: 'x'.repeat(3_000) })] };
      await expect(store.append([append])).rejects.toThrow(InvalidAppendError);
      await expect(store.append([append])).rejects.toThrow(/limit of 2000 bytes.*nothing of it was written/);
      expect(await store.readStream(append.streamId)).toEqual([]);
      expect(await appendOne(store, newAppend())).toMatchObject({ kind: 'appended' });
    });
  });

  it('learns what the server can do although the question failed', async () => {
    const double = await start();
    double.failFeatures(2);
    expect(await appendOne(open(double.connectionString), newAppend())).toMatchObject({ kind: 'appended' });
  });

  describe('a read', () => {
    it('fails as unavailable when no answer comes, and may be asked again', async () => {
      const double = await start();
      const store = open(double.connectionString, SHORT_MS);
      const append = newAppend(3);
      await retried(() => appended(store, append));
      double.reads.keepSilent(1);
      await expect(store.readStream(append.streamId)).rejects.toThrow(EventStoreUnavailableError);
      expect(await retried(() => store.readStream(append.streamId))).toHaveLength(3);
    });
  });
});

describe('EventStoreDB away', () => {
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
  const noticing = (): { readonly news: ReachabilityNews; readonly told: string[] } => {
    const told: string[] = [];
    const news: ReachabilityNews = {
      onAway: (cause) => told.push(`away: ${cause instanceof Error ? cause.message : String(cause)}`),
      onBack: (failures) => told.push(failures > 0 ? 'back' : 'back after nothing'),
    };
    return { news, told };
  };

  it('is left by appends and subscriptions alike where it is frozen and has a successor', async () => {
    const first = await start({ isFreezable: true });
    const second = await first.startNode();
    closing.push(() => second.stop());
    second.follow(first);
    const { news, told } = noticing();
    const store = open(`esdb://127.0.0.1:${first.port},127.0.0.1:${second.port}?tls=false`, {
      keepAlive: { everyMs: 100, patienceMs: 2_000 },
      news,
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
    expect(told[0]).toMatch(/^away: /);
    first.thaw();
  });

  it('says why once, and how it went on', async () => {
    const gone = await start();
    const { port, connectionString } = gone;
    const { news, told } = noticing();
    const store = open(connectionString, { deadlineMs: 2_000, news });
    await store.head();
    expect(told).toEqual([]);
    await gone.stop();
    for (let times = 0; times < 3; times++)
      await expect(store.head()).rejects.toThrow(EventStoreUnavailableError);
    expect(told).toHaveLength(1);
    expect(told[0]).toMatch(/^away: .*(?:ECONNREFUSED|Connection dropped|UNAVAILABLE)/);
    await start({ port });
    await retried(() => store.head());
    expect(told.slice(1)).toEqual(['back']);
  });

  describe('and closed', () => {
    it('refuses at once what waits for its answer', async () => {
      const double = await start();
      const store = open(double.connectionString);
      await store.head();
      const { calls } = double.reads;
      double.reads.keepSilent(1);
      const reading = expect(store.head()).rejects.toThrow('the event store is closed');
      await eventually(() => double.reads.calls > calls);
      await store.close();
      await reading;
    });

    it('refuses at once what is tried again', async () => {
      const gone = await start();
      await gone.stop();
      const { news, told } = noticing();
      const store = open(gone.connectionString, { news });
      const reading = expect(store.head()).rejects.toThrow('the event store is closed');
      const append = expect(store.append([newAppend()])).rejects.toThrow(EventStoreUnavailableError);
      await eventually(() => told.length > 0);
      await store.close();
      await Promise.all([reading, append]);
      await expect(store.head()).rejects.toThrow('the event store is closed');
    });

    it('does not wait for an append that nobody answers', async () => {
      const double = await start();
      const store = open(double.connectionString);
      double.failAppends({ kind: 'is-silent', isWritten: true });
      const append = expect(store.append([newAppend()])).rejects.toThrow(EventStoreUnavailableError);
      await eventually(() => double.written > 0);
      await store.close();
      await append;
    });
  });
});

describe('EventStoreDB beside events of its own', () => {
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
  const quiet = (double: EventStoreDbDouble, events: number): void => {
    for (let n = 0; n < events; n++) double.appendSystemEvent();
  };

  it('shows none of them and counts none against a limit', async () => {
    const { double, store } = await start();
    quiet(double, 100);
    expect(await store.head()).toBeUndefined();
    const { position } = await appended(store, newAppend(3));
    quiet(double, 100);
    expect(await store.head()).toBe(position);
    expect(await readFrom(store, undefined, 2)).toHaveLength(3);
  });

  it('does not walk past them again to find the head', async () => {
    const { double, store } = await start();
    const { position } = await appended(store, newAppend());
    quiet(double, 5_000);
    expect(await store.head()).toBe(position);
    quiet(double, 10);
    const before = double.reads.lookedAt;
    expect(await store.head()).toBe(position);
    expect(double.reads.lookedAt - before).toBeLessThan(100);
    const { position: later } = await appended(store, newAppend());
    expect(await store.head()).toBe(later);
  });

  it('subscribes again behind what the filter passed over, and skips nothing', async () => {
    const { double, store } = await start();
    const [first, second, third] = [newAppend(), newAppend(2), newAppend()];
    const ids = [first, second, third].flatMap(({ events }) => events.map(({ id }) => id));
    const watching = collect(store, { after: undefined, batchSize: 1, until: ids });
    await appended(store, first);
    quiet(double, 1_000);
    await eventually(() => double.reads.lookedAt >= 1_000);
    const { subscribedFrom } = double.reads;
    // It subscribes again where it knows to be, and the server's word of that may still be on its way.
    await eventually(
      async () => {
        const { length } = subscribedFrom;
        await delay(100);
        double.breakReads();
        await eventually(() => subscribedFrom.length > length);
        return subscribedFrom.at(-1) ?? 0;
      },
      (place) => place > 900 * 137,
    );
    await appended(store, second);
    double.breakReads();
    await appended(store, third);
    expect((await watching).map(({ id }) => id)).toEqual(ids);
    expect(subscribedFrom[0]).toBeUndefined();
  });

  it('subscribes again where the server never confirmed', async () => {
    const { double, store } = await start(SHORT_MS);
    const append = newAppend();
    await retried(() => appended(store, append));
    double.reads.keepSilent(2);
    const seen = await collect(store, { after: undefined, until: append.events.map(({ id }) => id) });
    expect(seen).toHaveLength(1);
  });
});

/** Tries again while the store is unavailable, as callers do. */
async function retried<T>(action: () => Promise<T>): Promise<T> {
  const outcome = await eventually(
    () =>
      action().then(
        (value) => ({ value }),
        (error: unknown) => ({ error }),
      ),
    (tried) => !('error' in tried && tried.error instanceof EventStoreUnavailableError),
  );
  if ('error' in outcome) throw outcome.error;
  return outcome.value;
}
