import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ProjectionWaiter } from '@nimo/projection-engine';
import { OwnPositions } from './own-positions.js';

describe('lists of what one did oneself', () => {
  beforeEach(() => void jest.useFakeTimers());
  afterEach(() => void jest.useRealTimers());

  function positions() {
    const waited: string[] = [];
    const waiter = {
      timeoutMs: 1_000,
      waitFor(names: readonly string[], position: string, timeoutMs: number) {
        waited.push(`${names.join()}:${position} ${timeoutMs}`);
        return Promise.resolve({ stale: false });
      },
    } as unknown as ProjectionWaiter;
    return { own: new OwnPositions(waiter), waited };
  }

  it('wait for the latest of it, once, for what is left of a second', async () => {
    const { own, waited } = positions();
    own.note('ada', '7');
    own.note('ada', '8');
    await own.seenIn('activities', 'bob');
    jest.advanceTimersByTime(400);
    await own.seenIn('activities', 'ada');
    await own.seenIn('activities', 'ada');
    expect(waited).toEqual(['activities:8 600']);
  });

  it('do not wait for what is long ago', async () => {
    const { own, waited } = positions();
    own.note('ada', '7');
    jest.advanceTimersByTime(1_000);
    await own.seenIn('activities', 'ada');
    expect(waited).toEqual([]);
  });
});
