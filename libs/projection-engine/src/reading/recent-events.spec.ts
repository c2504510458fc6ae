import { describe, expect, it } from '@jest/globals';
import type { ReadAllOptions, RecordedEvent } from '@nimo/event-store';
import { InMemoryEventStore } from '@nimo/event-store/testing';
import { appendOf } from '../testing/notes.fixture.js';
import { RecentEvents } from './unchanged-reads.js';

class CountingStore extends InMemoryEventStore {
  reads = 0;

  override readAll(options: ReadAllOptions): Promise<RecordedEvent[]> {
    this.reads += 1;
    return super.readAll(options);
  }
}

async function append(store: InMemoryEventStore, count = 1): Promise<string> {
  const outcomes = await store.append(
    Array.from({ length: count }, () => appendOf({ type: 'NoteDeleted', id: 'x' })),
  );
  const last = outcomes.at(-1);
  if (last?.kind !== 'appended') throw new Error('nothing was appended');
  return last.position;
}

const types = new Set(['NoteDeleted']);

describe('recent events', () => {
  it('are read once for concurrent callers, and not without callers', async () => {
    const store = new CountingStore();
    const recent = new RecentEvents({ store, types });
    const after = await append(store);
    const positions = [await append(store), await append(store), await append(store)];
    expect(store.reads).toBe(0);
    const read = await Promise.all(positions.map((until) => recent.between(after, until)));
    expect(read.map((events) => events?.map(({ position }) => position))).toEqual([
      positions,
      positions,
      positions,
    ]);
    expect(store.reads).toBe(1);
    expect(await recent.between(positions[1] ?? '', positions[2] ?? '')).toHaveLength(1);
    expect(store.reads).toBe(1);
  });

  it('are read again for a caller that needs later events than a read in progress returns', async () => {
    const store = new CountingStore();
    const recent = new RecentEvents({ store, types });
    const first = recent.between('', await append(store));
    const second = append(store).then((until) => recent.between('', until));
    expect((await first)?.length).toBeGreaterThanOrEqual(1);
    expect(await second).toHaveLength(2);
  });

  it('restart at the read model once it has passed all kept events', async () => {
    const store = new CountingStore();
    const recent = new RecentEvents({ store, types });
    await recent.between('', await append(store, 3));
    const passed = await append(store, 50);
    const until = await append(store, 2);
    expect(await recent.between(passed, until)).toHaveLength(2);
    // Earlier events are no longer kept.
    expect(await recent.between('', until)).toBeUndefined();
  });

  it('are not kept beyond the maximum', async () => {
    const store = new CountingStore();
    const recent = new RecentEvents({ store, types, maxEvents: 10 });
    expect(await recent.between('', await append(store, 10))).toHaveLength(10);
    const until = await append(store, 1);
    expect(await recent.between('', until)).toBeUndefined();
    const far = await append(store, 100);
    expect(await recent.between('', far)).toBeUndefined();
    const reads = store.reads;
    expect(await recent.between('', await append(store, 100))).toBeUndefined();
    expect(store.reads).toBe(reads);
  });

  it('are undefined if the store does not show the position yet', async () => {
    const store = new CountingStore();
    const until = await append(store);
    const recent = new RecentEvents({ store: new CountingStore(), types });
    expect(await recent.between('', until)).toBeUndefined();
  });

  it('have no data for events of other types', async () => {
    const store = new CountingStore();
    const recent = new RecentEvents({ store, types: new Set(['SomethingElse']) });
    const [event] = (await recent.between('', await append(store))) ?? [];
    expect(event).toMatchObject({ type: 'NoteDeleted', data: {}, metadata: {} });
  });
});
