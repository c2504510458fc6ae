import { describe, expect, it } from '@jest/globals';
import { parseGroups } from './open-id.js';

describe('parseGroups', () => {
  it('accepts only strings and removes duplicates', () => {
    expect(parseGroups(['7b', ' staff ', '7b', '', ' ', 7, null, { name: '7c' }, ['7d']])).toEqual([
      '7b',
      'staff',
    ]);
    expect(parseGroups('7b')).toEqual(['7b']);
    for (const claim of [undefined, null, 7, true, {}, { 0: '7b' }]) expect(parseGroups(claim)).toEqual([]);
  });
  it('limits their number and length', () => {
    expect(parseGroups(Array.from({ length: 100_000 }, (_, at) => `g${at}`))).toHaveLength(500);
    expect(parseGroups(['x'.repeat(201), 'x'.repeat(200)])).toEqual(['x'.repeat(200)]);
  });
});
