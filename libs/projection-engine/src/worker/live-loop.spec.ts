import { describe, expect, it } from '@jest/globals';
import { lingerMs } from './live-loop.js';

describe('how long events are gathered', () => {
  it.each([
    ['where there is little to do', 3, 25],
    ['the longer the more there is to do', 40, 120],
    ['and never so long that it is seen', 5_000, 250],
  ])('%s', (_where, lastTickMs, expected) => expect(lingerMs(lastTickMs)).toBe(expected));
});
