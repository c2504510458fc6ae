import { describe, expect, it } from '@jest/globals';
import { SLICES } from './events.js';
import { ERROR_CATALOGUE } from './messages.js';

const duplicates = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index);

describe('slices of the vocabulary', () => {
  it('share no event type', () =>
    expect(duplicates(SLICES.flatMap(({ events }) => Object.keys(events)))).toEqual([]));
  it('share no stream prefix', () => {
    const prefixes = SLICES.flatMap(({ streams }): readonly string[] => streams);
    for (const prefix of prefixes)
      expect(prefixes.filter((other) => other.startsWith(prefix))).toEqual([prefix]);
  });
  it('share no error code with each other or the rest of the catalogue', () => {
    const codes = SLICES.flatMap(({ errors }) => Object.keys(errors));
    expect(duplicates(codes)).toEqual([]);
    // They are spread last, so a code that the catalogue already had would appear earlier.
    expect(Object.keys(ERROR_CATALOGUE).slice(-codes.length)).toEqual(codes);
  });
});
