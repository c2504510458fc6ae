import { describe, expect, it } from '@jest/globals';
import { groupsIn } from './open-id.js';

describe('groupsIn', () => {
  it('accepts only strings and removes duplicates', () => {
    expect(groupsIn(['7b', ' staff ', '7b', '', ' ', 7, null, { name: '7c' }, ['7d']])).toEqual([
      '7b',
      'staff',
    ]);
    expect(groupsIn('7b')).toEqual(['7b']);
    for (const claim of [undefined, null, 7, true, {}, { 0: '7b' }]) expect(groupsIn(claim)).toEqual([]);
  });
  it('limits their number and length', () => {
    expect(groupsIn(Array.from({ length: 100_000 }, (_, at) => `g${at}`))).toHaveLength(500);
    expect(groupsIn(['x'.repeat(201), 'x'.repeat(200)])).toEqual(['x'.repeat(200)]);
  });
});
