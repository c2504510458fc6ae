import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { someTurns } from '../../../../../test/ending-store.js';
import { Turns, type TurnLimits } from './turns.js';

const LIMITS: TurnLimits = {
  waiting: 4,
  waitingEach: 3,
  bytes: 100,
  bytesEach: 60,
  patienceMs: 60_000,
  sliceMs: 5,
};
/** The turns of the event loop stay real. */
const REAL = ['setImmediate', 'nextTick', 'queueMicrotask'] as const;
const here = (): AbortSignal => new AbortController().signal;

describe('turns', () => {
  afterEach(() => void jest.useRealTimers());

  it('come one after the other, each client in its turn', async () => {
    const turns = new Turns(LIMITS);
    const served: string[] = [];
    const enter = (client: string): Promise<unknown> =>
      turns.enter(client, 1, here()).then(() => served.push(client));
    await Promise.all([enter('a'), enter('a'), enter('a'), enter('b')]);
    expect(served).toEqual(['a', 'b', 'a', 'a']);
    expect(turns.waiting).toBe(0);
  });

  it('leave as long to everybody else as they took', async () => {
    jest.useFakeTimers({ doNotFake: [...REAL] });
    const turns = new Turns(LIMITS);
    await turns.enter('a', 1, here()).then(() => jest.advanceTimersByTime(20));
    const second = turns.enter('a', 1, here());
    await someTurns();
    jest.advanceTimersByTime(19);
    await someTurns();
    expect(turns.waiting).toBe(1);
    jest.advanceTimersByTime(1);
    await second;
    expect(turns.waiting).toBe(0);
  });

  it('follow each other at once where they take no time', async () => {
    jest.useFakeTimers({ doNotFake: [...REAL] });
    const turns = new Turns({ ...LIMITS, sliceMs: 60_000 });
    await Promise.all(['a', 'b', 'c'].map((client) => turns.enter(client, 1, here())));
    expect(turns.waiting).toBe(0);
  });

  it('come when they are asked for later, too', async () => {
    const turns = new Turns({ ...LIMITS, sliceMs: 0 });
    await turns.enter('a', 1, here());
    await turns.enter('a', 1, here());
    expect(turns.waiting).toBe(0);
  });

  it.each([
    ['for one client', ['a', 'a', 'a'], 'a', 1, 'TOO_MANY_REQUESTS'],
    ['over all', ['a', 'a', 'a', 'b'], 'c', 1, 'UNAVAILABLE'],
    ['for what one client holds', ['a', 'a'], 'a', 59, 'TOO_MANY_REQUESTS'],
    ['for what all hold', ['a', 'b'], 'c', 99, 'UNAVAILABLE'],
  ])('are refused beyond a number %s', async (_, waiting, client, bytes, code) => {
    const turns = new Turns(LIMITS);
    const gone = new AbortController();
    const entered = waiting.map((one) => turns.enter(one, 1, gone.signal).catch(() => undefined));
    await expect(turns.enter(client, bytes, here())).rejects.toMatchObject({
      code,
      message: 'Too many requests wait to be read. Try again in a moment.',
      details: { rule: 'READINGS_AT_ONCE' },
    });
    gone.abort();
    await Promise.all(entered);
  });

  it('are given up by who is gone', async () => {
    const turns = new Turns(LIMITS);
    const gone = new AbortController();
    const waiting = turns.enter('a', 50, gone.signal);
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    await expect(turns.enter('a', 50, gone.signal)).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    expect(turns.waiting).toBe(0);
    await turns.enter('a', 50, here());
  });

  it('are not waited for without an end', async () => {
    jest.useFakeTimers({ doNotFake: [...REAL] });
    const turns = new Turns({ ...LIMITS, patienceMs: 1 });
    await turns.enter('a', 1, here()).then(() => jest.advanceTimersByTime(20));
    const second = turns.enter('b', 1, here());
    await someTurns();
    jest.advanceTimersByTime(2);
    await expect(second).rejects.toMatchObject({ code: 'UNAVAILABLE' });
  });
});
