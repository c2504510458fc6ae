import { describe, expect, it } from '@jest/globals';
import { RowCache } from './row-cache.js';

function rows(from: number, to: number): (readonly [string, { id: string }])[] {
  return Array.from({ length: to - from }, (_, index) => [
    `key-${from + index}`,
    { id: `key-${from + index}` },
  ]);
}

describe('rows kept during a rebuild', () => {
  it('knows from the beginning that an empty table has no row', () => {
    expect(new RowCache(true).knows('a')).toBe(true);
    expect(new RowCache(false).knows('a')).toBe(false);
  });

  it('knows what was put last, and that a deleted row is gone', () => {
    const cache = new RowCache(false);
    cache.put([
      ['a', { id: 'a' }],
      ['b', { id: 'b' }],
    ]);
    cache.put([['a', undefined]]);
    expect([cache.knows('a'), cache.get('a')]).toEqual([true, undefined]);
    expect(cache.get('b')).toEqual({ id: 'b' });
  });

  it('keeps all rows of the latest batch, however many, and never takes a forgotten row for an absent one', () => {
    const cache = new RowCache(true);
    for (let start = 0; start < 100_000; start += 25_000) {
      const batch = rows(start, start + 25_000);
      cache.put(batch);
      expect(batch.every(([key, row]) => cache.get(key) === row)).toBe(true);
    }
    const forgotten = rows(0, 25_000).filter(([key]) => cache.get(key) === undefined);
    expect(forgotten).toHaveLength(25_000);
    expect(forgotten.every(([key]) => !cache.knows(key))).toBe(true);
  });

  it('keeps no more than some bytes beyond the latest batch, however few the rows are', () => {
    const cache = new RowCache(false);
    const heavy = (batch: number) =>
      Array.from({ length: 10 }, (_, index) => {
        const id = `${batch} ${index}`;
        return [id, { id, body: 'x'.repeat(500_000) }] as const;
      });
    for (let batch = 0; batch < 20; batch += 1) cache.put(heavy(batch));
    const kept = Array.from(
      { length: 20 },
      (_, batch) => heavy(batch).filter(([id]) => cache.knows(id)).length,
    );
    // Two halves, each with one batch too many.
    expect(kept.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(50);
    expect(kept.at(-1)).toBe(10);
  });

  it('seldom mistakes a new key for a known one', () => {
    const cache = new RowCache(true);
    cache.put(rows(0, 200_000));
    cache.put(rows(200_000, 240_000));
    const mistaken = rows(1_000_000, 1_010_000).filter(([key]) => !cache.knows(key));
    expect(mistaken.length).toBeLessThan(100);
  });
});
