import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, type TestDatabase } from '../../../../../test/postgres.js';
import type { RateLimit } from './limits.js';
import { RateLimiter } from './rate-limiter.js';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
}, 60_000);
afterAll(() => database.drop());

const processOf = (rateLimitFactor = 1) => new RateLimiter(database.pool(), { rateLimitFactor });
const limit = (most: number, portion: number): RateLimit => ({
  name: randomUUID(),
  most,
  seconds: 60,
  portion,
  code: 'TOO_MANY_REQUESTS',
});

async function allowed(limiters: readonly RateLimiter[], of: RateLimit, uses: number): Promise<number> {
  const tries = Array.from({ length: uses }, async (_, n) =>
    limiters[n % limiters.length]?.useExactly(of, 'ada'),
  );
  return (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled').length;
}

describe('a limit', () => {
  it.each([
    [10, 1],
    [10, 4],
    [7, 7],
  ])(
    'of %i taken by %i allows no more, by one process or by many, one after the other or at once',
    async (most, portion) => {
      expect(await allowed([processOf()], limit(most, 1), 30)).toBe(most);
      const shared = limit(most, portion);
      const together = await allowed([processOf(), processOf(), processOf()], shared, 60);
      expect(together).toBeLessThanOrEqual(most);
      const sequential = limit(most, portion);
      const limiter = processOf();
      for (let use = 0; use < most; use++) await limiter.useExactly(sequential, 'ada');
      await expect(limiter.useExactly(sequential, 'ada')).rejects.toMatchObject({
        code: 'TOO_MANY_REQUESTS',
      });
    },
  );

  it('is one of each subject', async () => {
    const [limiter, of] = [processOf(), limit(1, 1)];
    await limiter.useExactly(of, 'ada');
    await limiter.useExactly(of, 'bob');
    await expect(limiter.useExactly(of, 'ada')).rejects.toThrow();
  });

  it('starts anew with the next window', async () => {
    const [limiter, of] = [processOf(), limit(1, 1)];
    await limiter.useExactly(of, 'ada');
    await database
      .pool()
      .query(`update state.throttle set window_ends = now() where key like $1`, [`${of.name}%`]);
    await limiter.useExactly(of, 'ada');
  });

  it('is scaled where it is not a rule of the product', async () => {
    const limiter = processOf(2);
    const tries = Array.from({ length: 300 }, () => limiter.use('reports', 'ada'));
    const fulfilled = (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled');
    expect(fulfilled.length).toBeLessThanOrEqual(120);
    expect(fulfilled.length).toBeGreaterThanOrEqual(100);
  });
});
