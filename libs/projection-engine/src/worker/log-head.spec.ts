import { afterEach, describe, expect, it } from '@jest/globals';
import { EndingStore, InMemoryEventStore, waitEventLoopTurns } from '@nimo/event-store/testing';
import { LogHead, type LogHeadCapacity } from './log-head.js';
import { BEGINNING } from '../rebuild/projected-batch.js';
import { appendOf } from '../testing/notes.fixture.js';

const neverAborted = new AbortController().signal;
const failing = (error: unknown): never => {
  throw error;
};

describe('log head', () => {
  const logHeads: LogHead[] = [];
  afterEach(async () => {
    await Promise.all(logHeads.splice(0).map((logHead) => logHead.stop()));
  });

  async function openLogHead(store: InMemoryEventStore, capacity?: LogHeadCapacity): Promise<LogHead> {
    const logHead = new LogHead({ store, onError: failing, ...(capacity && { capacity }) });
    logHeads.push(logHead);
    await logHead.start();
    return logHead;
  }

  async function append(store: InMemoryEventStore, count: number): Promise<string> {
    await store.append(Array.from({ length: count }, () => appendOf({ type: 'SomethingElse' })));
    return (await store.head()) ?? BEGINNING;
  }

  it('returns events after a position, also within a batch', async () => {
    const store = new InMemoryEventStore();
    const logHead = await openLogHead(store);
    await append(store, 5);
    await logHead.waitPast(BEGINNING, neverAborted);
    const all = logHead.read(BEGINNING, 10) ?? [];
    expect(all).toHaveLength(5);
    expect(logHead.read(all[2]?.position ?? '', 10)).toEqual(all.slice(3));
    expect(logHead.read(BEGINNING, 2)).toEqual(all.slice(0, 2));
  });

  it('returns undefined for events before its start', async () => {
    const store = new InMemoryEventStore();
    const start = await append(store, 3);
    const logHead = await openLogHead(store);
    expect(logHead.read(BEGINNING, 10)).toBeUndefined();
    expect(logHead.read(start, 10)).toEqual([]);
  });

  it('evicts the oldest events beyond its capacity, without a gap', async () => {
    const store = new InMemoryEventStore();
    const logHead = await openLogHead(store, { events: 4, bytes: 2 ** 20 });
    const positions: string[] = [];
    for (let count = 0; count < 20; count += 1) {
      const head = await append(store, 1);
      await logHead.waitPast(positions.at(-1) ?? BEGINNING, neverAborted);
      positions.push(head);
    }
    expect(logHead.read(BEGINNING, 100)).toBeUndefined();
    const reached = positions.filter((position) => logHead.read(position, 100) !== undefined);
    expect(reached.length).toBeGreaterThanOrEqual(4);
    const [first = ''] = reached;
    expect(logHead.read(first, 100)?.map(({ position }) => position)).toEqual(
      positions.slice(positions.indexOf(first) + 1),
    );
  });

  it('evicts the oldest events beyond its capacity in bytes, and limits the bytes of a read', async () => {
    const store = new InMemoryEventStore();
    const logHead = await openLogHead(store, { events: 1_000, bytes: 20 * 2 ** 20 });
    const text = 'x'.repeat(2 ** 19);
    let last: string = BEGINNING;
    // 1 MB each in memory, so the 40th event reaches twice the capacity.
    for (let count = 0; count < 44; count += 1) {
      await store.append([appendOf({ type: 'NoteWritten', id: `n${count}`, author: 'ann', text })]);
      await logHead.waitPast(last, neverAborted);
      last = (await store.head()) ?? last;
    }
    expect(logHead.read(BEGINNING, 100)).toBeUndefined();
    const all = await store.readAll({ limit: 100 });
    const reached = all.filter(({ position }) => logHead.read(position, 100) !== undefined);
    expect(reached.length).toBeGreaterThan(10);
    expect(reached.length).toBeLessThan(40);
    expect(logHead.read(reached[0]?.position ?? '', 100)?.length).toBeLessThanOrEqual(9);
  });

  it('backs off after a subscription that ended without an error', async () => {
    const store = new EndingStore();
    await openLogHead(store);
    await waitEventLoopTurns();
    expect(store.subscriptionCount).toBeLessThan(20);
  });

  it('resolves waiting callers when they abort or it stops', async () => {
    const logHead = await openLogHead(new InMemoryEventStore());
    const aborting = new AbortController();
    const first = logHead.waitPast(BEGINNING, aborting.signal);
    const second = logHead.waitPast(BEGINNING, neverAborted);
    aborting.abort();
    await first;
    await logHead.stop();
    await second;
  });
});
