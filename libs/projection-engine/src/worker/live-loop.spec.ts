import { describe, expect, it } from '@jest/globals';
import { lingerMs } from './live-loop.js';

describe('lingerMs', () => {
  it.each([
    ['has a minimum', 3, 25],
    ['grows with the duration of a tick', 40, 120],
    ['has a maximum', 5_000, 250],
  ])('%s', (_, lastTickMs, expected) => expect(lingerMs(lastTickMs)).toBe(expected));
});
