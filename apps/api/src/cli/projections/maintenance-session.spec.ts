import { describe, expect, it } from '@jest/globals';
import { progressText } from './maintenance-session.js';

const half = { done: 50_000, total: 100_000, eventsPerSecond: 8_000.4, secondsLeft: 6.2 };

describe('progressText', () => {
  it.each([
    [{ ...half, generation: 2 }, '50,000 of 100,000 · 8,000/s · 7 s left'],
    [{ ...half, ended: 0, of: 16 }, '50,000 of 100,000 · 8,000/s · 7 s left · 0 of 16 done'],
    [{ ...half, secondsLeft: null, generation: 2 }, '50,000 of 100,000 · 8,000/s'],
    [{ ...half, done: 100_000, ended: 3, of: 16 }, '100,000 events · indexing and switching · 3 of 16 done'],
  ])('formats %j', (progress, text) => expect(progressText(progress)).toBe(text));
});
