import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase } from '@nimo/testing';
import { chainedHead, oddAppends } from '../integrity/testing/odd-events.js';
import { newEvent, newEvents, readFrom } from '../contract/event-fixtures.js';
import { EventStoreDbEventStore } from '../eventstoredb/eventstoredb-event-store.js';
import { EventStoreDbDouble } from '../eventstoredb/testing/eventstoredb-double.js';
import { InMemoryEventStore } from '../in-memory/in-memory-event-store.js';
import type { EventStore, RecordedEvent } from '../port.js';
import { PostgresEventStore } from '../postgres/postgres-event-store.js';
import { copyLog, type CopyPhase } from './copy-log.js';
import { LogDiffersError } from './export-log.js';

type Side = [log: EventStore, isOrdered: boolean];

describe('copyLog', () => {
  const closing: (() => Promise<void>)[] = [];
  /** Shared and read-only. A test that writes to its source creates its own. */
  let source: EventStore;
  let closingSource: (() => Promise<void>)[];

  const postgres = async (): Promise<Side> => {
    const database = await createTestDatabase();
    const log = new PostgresEventStore({ pool: database.pool(), directUrl: database.url });
    closing.push(async () => {
      await log.close();
      await database.drop();
    });
    return [log, true];
  };
  const eventStoreDb = async (): Promise<Side> => {
    const double = await EventStoreDbDouble.start();
    const log = new EventStoreDbEventStore({ connectionString: double.connectionString });
    closing.push(async () => {
      await log.close();
      await double.stop();
    });
    return [log, false];
  };

  const newSource = async (): Promise<EventStore> => {
    const [log] = await postgres();
    for (const append of oddAppends()) await log.append([append]);
    await interleave(log);
    return log;
  };
  const closeAll = async (closers: (() => Promise<void>)[]): Promise<void> => {
    for (const close of closers.splice(0)) await close();
  };

  beforeAll(async () => {
    source = await newSource();
    closingSource = closing.splice(0);
  });
  afterEach(() => closeAll(closing));
  afterAll(() => closeAll(closingSource));

  it('copies a log between all stores and back without changes', async () => {
    const written = await readFrom(source, undefined);
    const head = await chainedHead(source);
    let [from, at] = [source, 'PostgreSQL'];
    for (const open of [eventStoreDb, postgres, postgres]) {
      const [to, isOrdered] = await open();
      const report = await copyLog({ from, to, isOrdered });
      expect(report).toMatchObject({ ordinal: written.length, copied: written.length, existing: 0, head });
      expect(report).toMatchObject({ streams: new Set(written.map(({ streamId }) => streamId)).size });
      expect((await readFrom(to, undefined)).map(asStored)).toEqual(written.map(asStored));
      expect(await streamsOf(to, written)).toEqual(await streamsOf(source, written));
      [from, at] = [to, `${at} → ${to.constructor.name}`];
    }
    expect(at).toMatch(/EventStoreDbEventStore → PostgresEventStore → PostgresEventStore$/);
  });

  it('resumes after an interruption without duplicating events', async () => {
    const [to] = await eventStoreDb();
    const total = (await readFrom(source, undefined)).length;
    for (const maxAppends of [3, 20, 60]) {
      const stopping = new AbortController();
      const cut = copyLog({
        from: source,
        to: stoppingAfter(to, maxAppends, stopping),
        isOrdered: false,
        signal: stopping.signal,
      });
      await expect(cut).rejects.toThrow();
    }
    const report = await copyLog({ from: source, to, isOrdered: false });
    expect(report.existing).toBeGreaterThan(40);
    expect(report).toMatchObject({ ordinal: total, head: await chainedHead(source) });
    expect(await copyLog({ from: source, to, isOrdered: false })).toMatchObject({
      copied: 0,
      existing: total,
    });
  });

  it('copies events that arrive during the copy, and counts later ones', async () => {
    const [from, [to]] = [await newSource(), await eventStoreDb()];
    const [late, later] = [lateAppend(3), lateAppend(5)];
    const total = (await readFrom(from, undefined)).length;
    const report = await copyLog({
      from: corrupting(
        from,
        (events) => events,
        () => from.append([later]),
      ),
      to,
      isOrdered: false,
      beforeWriting: async () => {
        await from.append([late]);
      },
    });
    expect(report).toMatchObject({ ordinal: total + 3, behind: 5 });
    expect(await copyLog({ from, to, isOrdered: false })).toMatchObject({
      copied: 5,
      behind: 0,
      head: await chainedHead(from),
    });
  });

  it('translates positions, including those already translated', async () => {
    const [to] = await eventStoreDb();
    const from = await readFrom(source, undefined);
    const requested = [from[0], from[17], from.at(-1)].map((event) => event?.position ?? '');
    const { translated } = await copyLog({
      from: source,
      to,
      isOrdered: false,
      translate: new Set(requested),
    });
    const there = await readFrom(to, undefined);
    const counterparts = [there[0], there[17], there.at(-1)].map((event) => event?.position ?? '');
    expect(requested.map((position) => translated.get(position))).toEqual(counterparts);
    const again = await copyLog({ from: source, to, isOrdered: false, translate: new Set(counterparts) });
    expect(counterparts.map((position) => again.translated.get(position))).toEqual(counterparts);
  });

  describe('fails', () => {
    const failure = async (to: EventStore, from = source): Promise<string> => {
      const before = await readFrom(to, undefined);
      const error: unknown = await copyLog({ from, to, isOrdered: false }).catch((caught: unknown) => caught);
      expect(error).toBeInstanceOf(LogDiffersError);
      expect(await readFrom(to, undefined)).toEqual(before);
      return error instanceof Error ? error.message : '';
    };

    it('if the target has a different event, and names it', async () => {
      const to = new InMemoryEventStore();
      const [event] = newEvents(1);
      await to.append([{ streamId: 'mine', expectedRevision: 'any', events: event ? [event] : [] }]);
      const [first] = await source.readAll({ limit: 1 });
      const message = await failure(to);
      expect(message).toContain(`ordinal 1: the source has OddThing ${first?.id}`);
      expect(message).toContain(`the target ThingHappened ${event?.id} (mine, revision 0)`);
    });

    it.each<[string, (event: RecordedEvent) => Partial<RecordedEvent>]>([
      ['metadata', () => ({ metadata: { recordedAt: 'another day' } })],
      ['data', () => ({ data: { forged: true } })],
      ['type', () => ({ type: 'EvenThing' })],
      ['id', () => ({ id: randomUUID() })],
    ])('if the %s of one event in the target differs', async (_, change) => {
      const to = new InMemoryEventStore();
      for (const event of await source.readAll({ limit: 20 })) {
        const { id, type, data, metadata } = event.position.endsWith('13')
          ? { ...event, ...change(event) }
          : event;
        await to.append([
          { streamId: event.streamId, expectedRevision: 'any', events: [{ id, type, data, metadata }] },
        ]);
      }
      expect(await failure(to)).toContain('The first difference is at ordinal 13:');
    });

    it('if the target is longer, as when source and target are swapped', async () => {
      const [from, [to]] = [await newSource(), await eventStoreDb()];
      await copyLog({ from, to, isOrdered: false });
      await from.append([lateAppend(1)]);
      expect(await failure(from, to)).toContain('Are source and target swapped?');
    });

    it('if the source does not match its chain', async () => {
      const checkpoint = { ordinal: 4, head: Buffer.alloc(32) };
      const copying = copyLog({ from: source, to: new InMemoryEventStore(), isOrdered: false, checkpoint });
      await expect(copying).rejects.toThrow('they diverge at or before ordinal 4, ');
      const beyond = { ordinal: 1e6, head: Buffer.alloc(32) };
      await expect(
        copyLog({ from: source, to: new InMemoryEventStore(), isOrdered: false, checkpoint: beyond }),
      ).rejects.toThrow('events are missing');
    });

    it('before the first write if the operator declines', async () => {
      const to = new InMemoryEventStore();
      const beforeWriting = (): Promise<void> => Promise.reject(new Error('declined'));
      await expect(copyLog({ from: source, to, isOrdered: false, beforeWriting })).rejects.toThrow(
        'declined',
      );
      expect(await to.head()).toBeUndefined();
    });
  });

  it.each<[string, (events: RecordedEvent[]) => RecordedEvent[], number]>([
    ['loses an event', (events) => events.filter((_, index) => index !== 30), 31],
    [
      'duplicates an event',
      (events) => events.flatMap((event, index) => (index === 30 ? [event, event] : [event])),
      32,
    ],
    [
      'swaps two events',
      (events) => [...events.slice(0, 30), ...events.slice(30, 32).reverse(), ...events.slice(32)],
      31,
    ],
    [
      'changes an event',
      (events) => events.map((e, index) => (index === 30 ? { ...e, data: { n: -1 } } : e)),
      31,
    ],
  ])('fails verification if the target %s', async (_, corrupt, ordinal) => {
    const to = new InMemoryEventStore();
    const faulty = corrupting(to, (events) => (events.length > 31 ? corrupt(events) : events));
    await expect(copyLog({ from: source, to: faulty, isOrdered: false })).rejects.toThrow(
      `The first difference is at ordinal ${ordinal}:`,
    );
  });

  it('fails verification if another process writes to the target', async () => {
    const to = new InMemoryEventStore();
    const onProgress = (phase: CopyPhase): void => {
      if (phase === 'proving') void to.append([lateAppend(1)]);
    };
    await expect(copyLog({ from: source, to, isOrdered: false, onProgress })).rejects.toThrow(
      'Another process is writing to the target',
    );
  });
});

const asStored = ({ position: _, ...event }: RecordedEvent): Omit<RecordedEvent, 'position'> => event;

const lateAppend = (events: number) =>
  ({ streamId: `late-${randomUUID()}`, expectedRevision: 'no-stream', events: newEvents(events) }) as const;

/** Appends several events at a time to streams that recur. */
async function interleave(log: EventStore): Promise<void> {
  const streams = Array.from({ length: 70 }, () => `woven-${randomUUID()}`);
  for (const revision of [-1, 2]) {
    await log.append(
      streams.map((streamId) => ({
        streamId,
        expectedRevision: revision < 0 ? 'no-stream' : revision,
        events: [
          ...newEvents(2),
          newEvent({ text: 'x'.repeat(3000), recordedAt: new Date(0).toISOString() }),
        ],
      })),
    );
  }
}

/** The streams as commands read them. */
async function streamsOf(log: EventStore, written: readonly RecordedEvent[]): Promise<unknown> {
  const ids = [...new Set(written.map(({ streamId }) => streamId))];
  return [...(await log.readStreams(ids))].map(([id, events]) => [id, events.map(asStored)]);
}

/** Aborts the copy after a number of appends. */
function stoppingAfter(log: EventStore, maxAppends: number, stopping: AbortController): EventStore {
  let count = 0;
  return new Proxy(log, {
    get: (target, name) => {
      if (name === 'append')
        return (...args: Parameters<EventStore['append']>): ReturnType<EventStore['append']> => {
          if (++count > maxAppends) stopping.abort();
          return target.append(...args);
        };
      const member: unknown = Reflect.get(target, name, target);
      return typeof member === 'function' ? (member.bind(target) as unknown) : member;
    },
  });
}

/** A store that corrupts what it reads. */
function corrupting(
  log: EventStore,
  corrupt: (events: RecordedEvent[]) => RecordedEvent[],
  beforeCounting: () => Promise<unknown> = () => Promise.resolve(),
): EventStore {
  return {
    append: (appends) => log.append(appends),
    readStream: (streamId, options) => log.readStream(streamId, options),
    readStreams: (streamIds) => log.readStreams(streamIds),
    readAll: async (options) => corrupt(await log.readAll(options)).slice(0, options.limit),
    subscribe: (options) => log.subscribe(options),
    head: () => log.head(),
    countAfter: async (after, atMost) => {
      await beforeCounting();
      return log.countAfter(after, atMost);
    },
    close: () => log.close(),
  };
}
