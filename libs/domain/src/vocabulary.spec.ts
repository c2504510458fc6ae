import { describe, expect, it } from '@jest/globals';
import { SLICES } from './events.js';
import { ERROR_CATALOGUE } from './messages.js';

const twice = (names: readonly string[]) => names.filter((name, place) => names.indexOf(name) !== place);

describe('the slices of the vocabulary', () => {
  it('have no type of event in common', () =>
    expect(twice(SLICES.flatMap(({ events }) => Object.keys(events)))).toEqual([]));
  it('have no streams in common', () => {
    const prefixes = SLICES.flatMap(({ streams }): readonly string[] => streams);
    for (const prefix of prefixes)
      expect(prefixes.filter((other) => other.startsWith(prefix))).toEqual([prefix]);
  });
  it('have no error in common, nor with the rest of the catalogue', () => {
    const codes = SLICES.flatMap(({ errors }) => Object.keys(errors));
    expect(twice(codes)).toEqual([]);
    // The catalogue takes theirs last: one that it had itself would stand before the first of theirs.
    expect(Object.keys(ERROR_CATALOGUE).slice(-codes.length)).toEqual(codes);
  });
});
