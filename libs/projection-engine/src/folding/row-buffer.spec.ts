import { describe, expect, it } from '@jest/globals';
import type { Row } from '../projection.js';
import { RowBuffer, type TouchedRow, UNKNOWN, KeyFilter } from './row-buffer.js';

const touched = (identity: string, before: Row | undefined, after: Row | undefined): TouchedRow => ({
  ...{ identity, key: [identity], before, after, bytes: 0 },
});
const [one, two, three] = [
  { id: 'a', n: 1 },
  { id: 'a', n: 2 },
  { id: 'a', n: 3 },
];

/** @returns the written changes */
function flush(buffer: RowBuffer) {
  const changes = buffer.take();
  buffer.settle();
  return changes.map(({ key, before, after }) => [key[0], before, after]);
}

describe('row buffer', () => {
  it('knows that an empty table has no rows, and nothing about other tables', () => {
    expect(new RowBuffer(true).get('a')).toBeUndefined();
    expect(new RowBuffer(false).get('a')).toBe(UNKNOWN);
  });

  it('writes a row once after several changes, with its stored value as `before`', () => {
    const buffer = new RowBuffer(true);
    buffer.put([touched('a', undefined, one)]);
    buffer.put([touched('a', one, two)]);
    expect(buffer.get('a')).toBe(two);
    expect(flush(buffer)).toEqual([['a', undefined, two]]);
    buffer.put([touched('a', two, three)]);
    expect(flush(buffer)).toEqual([['a', two, three]]);
    expect(flush(buffer)).toEqual([]);
  });

  it('does not write rows that were only read, or created and deleted', () => {
    const buffer = new RowBuffer(false);
    buffer.put([touched('a', undefined, one), touched('b', two, two)]);
    buffer.put([touched('a', one, undefined)]);
    expect([buffer.get('a'), buffer.get('b')]).toEqual([undefined, two]);
    expect(flush(buffer)).toEqual([]);
  });

  it('returns rows that are being flushed', () => {
    const buffer = new RowBuffer(true);
    buffer.put([touched('a', undefined, one)]);
    const flushing = buffer.take();
    expect(buffer.get('a')).toBe(one);
    // Folded from `one` during the flush.
    buffer.settle();
    buffer.put([touched('a', one, two)]);
    expect(flushing).toMatchObject([{ before: undefined, after: one }]);
    expect(flush(buffer)).toEqual([['a', one, two]]);
  });

  it('evicts rows written two flushes ago, and never reports them as absent', () => {
    const buffer = new RowBuffer(true);
    const ids = Array.from({ length: 40_000 }, (_, index) => `key-${index}`);
    buffer.put(ids.map((id) => touched(id, undefined, { id })));
    flush(buffer);
    expect(ids.every((id) => buffer.get(id) !== UNKNOWN)).toBe(true);
    flush(buffer);
    expect(ids.every((id) => buffer.get(id) === UNKNOWN)).toBe(true);
    const others = ids.filter((id) => buffer.get(`${id}-other`) === undefined);
    expect(others.length).toBeGreaterThan(0.95 * ids.length);
  });

  it('keeps the latest rows of earlier flushes while there is room', () => {
    const buffer = new RowBuffer(true);
    const write = (row: TouchedRow, evict: boolean) => {
      buffer.put([row]);
      buffer.take();
      buffer.settle(evict);
    };
    write(touched('a', undefined, one), false);
    write(touched('b', undefined, { id: 'b' }), false);
    write(touched('a', one, two), false);
    expect([buffer.get('a'), buffer.get('b')]).toEqual([two, { id: 'b' }]);
    write(touched('c', undefined, { id: 'c' }), true);
    expect([buffer.get('a'), buffer.get('b')]).toEqual([UNKNOWN, UNKNOWN]);
  });

  it('estimates its size', () => {
    const buffer = new RowBuffer(true);
    buffer.put([touched('a', undefined, { id: 'a', body: 'x'.repeat(500_000) })]);
    expect(buffer.bytes).toBeGreaterThan(500_000);
    buffer.put([touched('a', { id: 'a' }, { id: 'a', body: '' })]);
    expect(buffer.bytes).toBeLessThan(1_000);
    buffer.put([touched('b', undefined, { id: 'b' })]);
    flush(buffer);
    expect(buffer.bytes).toBe(0);
  });
});

describe('key filter', () => {
  it('has no false negatives and few false positives', () => {
    const filter = new KeyFilter();
    for (let index = 0; index < 300_000; index += 1) filter.add(`key-${index}`);
    for (let index = 0; index < 300_000; index += 100) expect(filter.has(`key-${index}`)).toBe(true);
    const falsePositives = Array.from({ length: 10_000 }, (_, index) => `other-${index}`).filter((key) =>
      filter.has(key),
    );
    expect(falsePositives.length).toBeLessThan(300);
  });
});
