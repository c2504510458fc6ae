import { randomUUID } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { InMemoryEventStore } from './in-memory/in-memory-event-store.js';
import { readPage, weightOfEvent } from './read-page.js';

/** A log of events with texts of these lengths. */
async function logOf(sizes: readonly number[]): Promise<InMemoryEventStore> {
  const store = new InMemoryEventStore();
  for (const size of sizes) {
    const event = { id: randomUUID(), type: 'Written', data: { text: 'x'.repeat(size) }, metadata: {} };
    await store.append([{ streamId: randomUUID(), expectedRevision: 'any', events: [event] }]);
  }
  return store;
}

const MAX_BYTES = 1_000_000;

describe('readPage', () => {
  it('returns the full page when events are small', async () => {
    const store = await logOf(Array.from({ length: 600 }, () => 10));
    const first = await readPage(store, { limit: 500, maxBytes: MAX_BYTES });
    expect([first.events.length, first.isLast]).toEqual([500, false]);
    const after = first.events.at(-1)?.position ?? '';
    const rest = await readPage(store, { after, limit: 500, maxBytes: MAX_BYTES });
    expect([rest.events.length, rest.isLast]).toEqual([100, true]);
    expect(new Set([...first.events, ...rest.events].map(({ id }) => id)).size).toBe(600);
  });

  it('ends a page of large events early, in order and without gaps, and always makes progress', async () => {
    const sizes = Array.from({ length: 900 }, (_, index) => (index < 300 ? 10 : 30_000));
    const store = await logOf(sizes);
    const all = await store.readAll({ limit: 1_000 });
    const read: string[] = [];
    for (let after: string | undefined; ;) {
      const page = await readPage(store, {
        ...(after !== undefined && { after }),
        limit: 900,
        maxBytes: MAX_BYTES,
      });
      const bytes = page.events.reduce((sum, event) => sum + weightOfEvent(event), 0);
      // It overshoots by one chunk at most, whose size is estimated from the events before it.
      expect(bytes).toBeLessThan(MAX_BYTES + 1_000 * weightOfEvent(all[899] ?? { data: {} }));
      expect(page.events.length).toBeGreaterThan(0);
      read.push(...page.events.map(({ id }) => id));
      after = page.events.at(-1)?.position;
      if (page.isLast || read.length === 900) break;
    }
    expect(read).toEqual(all.map(({ id }) => id));
    const heavy = await readPage(store, {
      after: all[299]?.position ?? '',
      limit: 900,
      maxBytes: MAX_BYTES,
    });
    expect(heavy.events.length).toBeLessThanOrEqual(250);
  });
});
