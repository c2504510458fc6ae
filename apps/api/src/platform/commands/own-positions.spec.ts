import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import type { ProjectionWaiter } from '@nimo/projection-engine';
import { OwnPositions } from './own-positions.js';

/** Positions, and a read side that has reached what `reach` says. */
function positions() {
  const waited: string[] = [];
  const reached = new Map<string, string>();
  const waiter = {
    timeoutMs: 1_000,
    standingOf: (name: string) => ({ position: reached.get(name) ?? '', isStopped: false }),
    waitFor(names: readonly string[], position: string, timeoutMs: number) {
      waited.push(`${names.join()}:${position} ${timeoutMs}`);
      return Promise.resolve({ stale: names.some((name) => (reached.get(name) ?? '') < position) });
    },
  } as unknown as ProjectionWaiter;
  const own = new OwnPositions(waiter);
  const isStale = async (studentId: string): Promise<boolean> => {
    const freshness = { stale: false };
    await own.seenBy(studentId, freshness);
    return freshness.stale;
  };
  return { own, waited, isStale, reach: (name: string, position: string) => reached.set(name, position) };
}

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

describe('a query right after an own command', () => {
  it('waits for what is left of a second, and nobody else does', async () => {
    const { own, waited, isStale } = positions();
    own.note('ada', '7', ['questions']);
    expect(own.seenBy('bob', { stale: false })).toBeUndefined();
    jest.advanceTimersByTime(400);
    await isStale('ada');
    expect(waited).toEqual(['questions:7 600']);
  });

  it('waits for the last position in each projection that is behind', async () => {
    const { own, waited, isStale } = positions();
    own.note('ada', '7', ['questions', 'news']);
    own.note('ada', '9', ['questions']);
    own.note('ada', '8', ['questions']);
    await isStale('ada');
    expect(waited.sort()).toEqual(['news:7 1000', 'questions:9 1000']);
  });

  it('says that it is stale for as long as a projection is behind', async () => {
    const { own, isStale, reach } = positions();
    own.note('ada', '7', ['questions']);
    for (const pause of [0, 999, 1, 3_600_000]) {
      jest.advanceTimersByTime(pause);
      expect(await isStale('ada')).toBe(true);
    }
    reach('questions', '7');
    expect(await isStale('ada')).toBe(false);
    expect(own.seenBy('ada', { stale: false })).toBeUndefined();
  });

  it('does not wait where the read side was there already, or nothing shows the command', () => {
    const { own, reach } = positions();
    reach('questions', '7');
    own.note('ada', '7', ['questions']);
    own.note('bob', '8');
    for (const student of ['ada', 'bob']) expect(own.seenBy(student, { stale: false })).toBeUndefined();
  });

  it('is not forgotten for the commands of others, until there are ten thousand of them', async () => {
    const { own, isStale } = positions();
    for (const student of ['ada', 'bob', 'ada']) own.note(student, '7', ['questions']);
    for (let other = 2; other < 10_000; other++) own.note(`student-${other}`, '7', ['questions']);
    expect(await isStale('bob')).toBe(true);
    own.note('one more', '7', ['questions']);
    expect(await isStale('bob')).toBe(false);
    expect(await isStale('ada')).toBe(true);
  });
});

describe('a list that is filled with some delay', () => {
  it('waits for the latest own command, for what is left of a second, and says when that was in vain', async () => {
    const { own, waited, reach } = positions();
    const see = async (studentId: string) => {
      const freshness = { stale: false };
      await own.seenIn('activities', studentId, freshness);
      return freshness.stale;
    };
    own.note('ada', '7');
    own.note('ada', '8');
    expect(await see('bob')).toBe(false);
    jest.advanceTimersByTime(400);
    expect(await see('ada')).toBe(true);
    reach('activities', '8');
    jest.advanceTimersByTime(1_000);
    expect(await see('ada')).toBe(false);
    expect(waited).toEqual(['activities:8 600', 'activities:8 0']);
  });
});
