import { afterEach, describe, expect, it } from '@jest/globals';
import { EndingStore, InMemoryEventStore, someTurns } from '@nimo/event-store/testing';
import { LogHead, type LogHeadCapacity } from './log-head.js';
import { BEGINNING } from '../rebuild/projected-batch.js';
import { appendOf } from '../testing/notes.fixture.js';

const neverAborted = new AbortController().signal;
const failing = (error: unknown): never => {
  throw error;
};

describe('the shared tail', () => {
  const tails: LogHead[] = [];
  afterEach(async () => {
    await Promise.all(tails.splice(0).map((tail) => tail.stop()));
  });

  async function openTail(store: InMemoryEventStore, capacity?: LogHeadCapacity): Promise<LogHead> {
    const tail = new LogHead({ store, onError: failing, ...(capacity && { capacity }) });
    tails.push(tail);
    await tail.start();
    return tail;
  }

  async function append(store: InMemoryEventStore, count: number): Promise<string> {
    await store.append(Array.from({ length: count }, () => appendOf({ type: 'SomethingElse' })));
    return (await store.head()) ?? BEGINNING;
  }

  it('hands out what came after a position, from the middle of a batch too', async () => {
    const store = new InMemoryEventStore();
    const tail = await openTail(store);
    await append(store, 5);
    await tail.beyond(BEGINNING, neverAborted);
    const all = tail.read(BEGINNING, 10) ?? [];
    expect(all).toHaveLength(5);
    expect(tail.read(all[2]?.position ?? '', 10)).toEqual(all.slice(3));
    expect(tail.read(BEGINNING, 2)).toEqual(all.slice(0, 2));
  });

  it('says that it does not reach back to what was there before it', async () => {
    const store = new InMemoryEventStore();
    const start = await append(store, 3);
    const tail = await openTail(store);
    expect(tail.read(BEGINNING, 10)).toBeUndefined();
    expect(tail.read(start, 10)).toEqual([]);
  });

  it('forgets the oldest beyond its capacity, without a gap to what it keeps', async () => {
    const store = new InMemoryEventStore();
    const tail = await openTail(store, { events: 4, bytes: 2 ** 20 });
    const positions: string[] = [];
    for (let count = 0; count < 20; count += 1) {
      const head = await append(store, 1);
      await tail.beyond(positions.at(-1) ?? BEGINNING, neverAborted);
      positions.push(head);
    }
    expect(tail.read(BEGINNING, 100)).toBeUndefined();
    const reached = positions.filter((position) => tail.read(position, 100) !== undefined);
    expect(reached.length).toBeGreaterThanOrEqual(4);
    const [first = ''] = reached;
    expect(tail.read(first, 100)?.map(({ position }) => position)).toEqual(
      positions.slice(positions.indexOf(first) + 1),
    );
  });

  it('forgets the oldest beyond so many bytes, however few they are, and hands out no more at once', async () => {
    const store = new InMemoryEventStore();
    const tail = await openTail(store, { events: 1_000, bytes: 20 * 2 ** 20 });
    const text = 'x'.repeat(2 ** 19);
    let last: string = BEGINNING;
    // 1 MB each in memory: twice the capacity is reached with the fortieth.
    for (let count = 0; count < 44; count += 1) {
      await store.append([appendOf({ type: 'NoteWritten', id: `n${count}`, author: 'ann', text })]);
      await tail.beyond(last, neverAborted);
      last = (await store.head()) ?? last;
    }
    expect(tail.read(BEGINNING, 100)).toBeUndefined();
    const all = await store.readAll({ limit: 100 });
    const reached = all.filter(({ position }) => tail.read(position, 100) !== undefined);
    expect(reached.length).toBeGreaterThan(10);
    expect(reached.length).toBeLessThan(40);
    expect(tail.read(reached[0]?.position ?? '', 100)?.length).toBeLessThanOrEqual(9);
  });

  it('rests before it begins again, though its subscription ended without an error', async () => {
    const store = new EndingStore();
    await openTail(store);
    await someTurns();
    expect(store.begun).toBeLessThan(20);
  });

  it('lets go of those who wait when they abort and when it stops', async () => {
    const tail = await openTail(new InMemoryEventStore());
    const aborting = new AbortController();
    const first = tail.beyond(BEGINNING, aborting.signal);
    const second = tail.beyond(BEGINNING, neverAborted);
    aborting.abort();
    await first;
    await tail.stop();
    await second;
  });
});
