import { describe, expect, it } from '@jest/globals';
import { relativeTime } from './format';

const now = new Date('2026-11-21T12:00:00.000Z');

describe('relativeTime', () => {
  it.each([
    ['2026-11-21T11:59:30.000Z', 'now'],
    ['2026-11-21T12:00:20.000Z', 'now'],
    ['2026-11-21T11:58:59.000Z', '1 minute ago'],
    ['2026-11-21T09:00:01.000Z', '2 hours ago'],
    ['2026-11-20T11:00:00.000Z', 'yesterday'],
    ['2026-11-07T12:00:00.000Z', '2 weeks ago'],
    ['2014-06-01T12:00:00.000Z', '12 years ago'],
  ])('formats %s as %s', (from, words) => {
    expect(relativeTime(new Date(from), now, 'en')).toBe(words);
  });
});
