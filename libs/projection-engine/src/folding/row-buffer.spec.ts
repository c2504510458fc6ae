import { describe, expect, it } from '@jest/globals';
import type { Row } from '../projection.js';
import { RowBuffer, type TouchedRow, UNKNOWN, SeenKeys } from './row-buffer.js';

const touched = (identity: string, before: Row | undefined, after: Row | undefined): TouchedRow => ({
  ...{ identity, key: [identity], before, after, bytes: 0 },
});
const [one, two, three] = [
  { id: 'a', n: 1 },
  { id: 'a', n: 2 },
  { id: 'a', n: 3 },
];

/** Writes all there is. @returns what was written */
function flush(buffer: RowBuffer) {
  const changes = buffer.take();
  buffer.settle();
  return changes.map(({ key, before, after }) => [key[0], before, after]);
}

describe('rows between the fold and the database', () => {
  it('knows from the beginning that an empty table has no row, and of another nothing', () => {
    expect(new RowBuffer(true).look('a')).toBeUndefined();
    expect(new RowBuffer(false).look('a')).toBe(UNKNOWN);
  });

  it('writes a row once, however often it changed, with what is stored before it', () => {
    const buffer = new RowBuffer(true);
    buffer.put([touched('a', undefined, one)]);
    buffer.put([touched('a', one, two)]);
    expect(buffer.look('a')).toBe(two);
    expect(flush(buffer)).toEqual([['a', undefined, two]]);
    buffer.put([touched('a', two, three)]);
    expect(flush(buffer)).toEqual([['a', two, three]]);
    expect(flush(buffer)).toEqual([]);
  });

  it('takes no row that came and went, or was read alone', () => {
    const buffer = new RowBuffer(false);
    buffer.put([touched('a', undefined, one), touched('b', two, two)]);
    buffer.put([touched('a', one, undefined)]);
    expect([buffer.look('a'), buffer.look('b')]).toEqual([undefined, two]);
    expect(flush(buffer)).toEqual([]);
  });

  it('goes on from what is on its way to the database', () => {
    const buffer = new RowBuffer(true);
    buffer.put([touched('a', undefined, one)]);
    const onItsWay = buffer.take();
    expect(buffer.look('a')).toBe(one);
    // Folded from `one`, and done when the flush has ended.
    buffer.settle();
    buffer.put([touched('a', one, two)]);
    expect(onItsWay).toMatchObject([{ before: undefined, after: one }]);
    expect(flush(buffer)).toEqual([['a', one, two]]);
  });

  it('forgets what was written two flushes ago, and never takes a forgotten row for an absent one', () => {
    const buffer = new RowBuffer(true);
    const ids = Array.from({ length: 40_000 }, (_, index) => `key-${index}`);
    buffer.put(ids.map((id) => touched(id, undefined, { id })));
    flush(buffer);
    expect(ids.every((id) => buffer.look(id) !== UNKNOWN)).toBe(true);
    flush(buffer);
    expect(ids.every((id) => buffer.look(id) === UNKNOWN)).toBe(true);
    const others = ids.filter((id) => buffer.look(`${id}-other`) === undefined);
    expect(others.length).toBeGreaterThan(0.95 * ids.length);
  });

  it('remembers what earlier flushes wrote while there is room, as the last of them left it', () => {
    const buffer = new RowBuffer(true);
    const write = (row: TouchedRow, forgets: boolean) => {
      buffer.put([row]);
      buffer.take();
      buffer.settle(forgets);
    };
    write(touched('a', undefined, one), false);
    write(touched('b', undefined, { id: 'b' }), false);
    write(touched('a', one, two), false);
    expect([buffer.look('a'), buffer.look('b')]).toEqual([two, { id: 'b' }]);
    write(touched('c', undefined, { id: 'c' }), true);
    expect([buffer.look('a'), buffer.look('b')]).toEqual([UNKNOWN, UNKNOWN]);
  });

  it('knows how heavy it is', () => {
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

describe('keys that were seen', () => {
  it('seldom mistakes a new key for one of them, and none of them for a new one', () => {
    const seen = new SeenKeys();
    for (let index = 0; index < 300_000; index += 1) seen.add(`key-${index}`);
    for (let index = 0; index < 300_000; index += 100) expect(seen.has(`key-${index}`)).toBe(true);
    const mistaken = Array.from({ length: 10_000 }, (_, index) => `other-${index}`).filter((key) =>
      seen.has(key),
    );
    expect(mistaken.length).toBeLessThan(300);
  });
});
