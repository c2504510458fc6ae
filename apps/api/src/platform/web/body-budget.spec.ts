import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { clientKey } from '../rate-limit/client-key.js';
import { BodyBudget } from './body-budget.js';

const [ADA, BOB] = [clientKey('192.0.2.1'), clientKey('192.0.2.2')];
const LIMITS = { bytes: 100, clientBytes: 60, patienceMs: 20_000 };

let budget: BodyBudget;
afterEach(() => {
  budget.close();
  jest.useRealTimers();
});

/** A body of which so much has come. */
async function sent(bytes: number, client = ADA): Promise<PassThrough> {
  const stream = new PassThrough();
  budget.watch(stream, client);
  stream.write(Buffer.alloc(bytes));
  await new Promise(setImmediate);
  return stream;
}

describe('bodies that are being read', () => {
  it('are counted until they have come', async () => {
    budget = new BodyBudget(LIMITS);
    const body = await sent(40);
    expect(budget.bytes).toBe(40);
    body.end();
    await new Promise(setImmediate);
    expect(budget.bytes).toBe(0);
  });

  it('are counted no more when their connection is gone', async () => {
    budget = new BodyBudget(LIMITS);
    const body = await sent(40);
    body.destroy();
    await new Promise(setImmediate);
    expect(budget.bytes).toBe(0);
  });

  it('end where one client has too much of them, and go on for another', async () => {
    budget = new BodyBudget(LIMITS);
    const first = await sent(40);
    expect((await sent(40)).destroyed).toBe(true);
    expect(first.destroyed).toBe(false);
    expect((await sent(50, BOB)).destroyed).toBe(false);
  });

  it('end where there are too many of all together', async () => {
    budget = new BodyBudget(LIMITS);
    await sent(60);
    expect((await sent(50, BOB)).destroyed).toBe(true);
    expect(budget.bytes).toBe(60);
  });

  it('end when they take too long', () => {
    jest.useFakeTimers();
    budget = new BodyBudget(LIMITS);
    const body = new PassThrough();
    budget.watch(body, ADA);
    jest.advanceTimersByTime(19_000);
    expect(body.destroyed).toBe(false);
    jest.advanceTimersByTime(3_000);
    expect(body.destroyed).toBe(true);
  });

  it('have a place or have none', () => {
    budget = new BodyBudget(LIMITS);
    expect([budget.reserve(60, ADA), budget.reserve(1, ADA), budget.reserve(41, BOB)]).toEqual([
      true,
      false,
      false,
    ]);
    budget.giveBack(60, ADA);
    expect(budget.reserve(41, BOB)).toBe(true);
  });
});
