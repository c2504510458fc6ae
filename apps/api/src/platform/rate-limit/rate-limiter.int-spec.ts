import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { openPool } from '@nimo/event-store';
import type { Redis } from 'ioredis';
import { createTestDatabase, type TestDatabase } from '@nimo/testing';
import { TestRedis } from '../../../../../test/servers/redis.js';
import { openRedis } from '../redis/open-redis.js';
import type { RateLimit } from './limits.js';
import { Metrics } from '../operations/metrics.js';
import { PostgresThrottles, RateLimiter, RedisThrottles } from './rate-limiter.js';

let database: TestDatabase;
let redis: TestRedis;
let connection: Redis;
beforeAll(async () => {
  [database, redis] = await Promise.all([createTestDatabase(), TestRedis.start()]);
  connection = openRedis(redis.url, 'test');
  await connection.connect();
});
afterAll(async () => {
  connection.disconnect();
  await redis.stop();
  await database.drop();
});

const ENGINES = {
  PostgreSQL: {
    throttles: () => new PostgresThrottles(database.pool()),
    endWindow: (name: string): Promise<unknown> =>
      database.pool().query(`update state.throttle set window_ends = now() where key like $1`, [`${name}%`]),
  },
  Redis: {
    throttles: () => new RedisThrottles(connection, new PostgresThrottles(database.pool())),
    endWindow: async (name: string): Promise<unknown> =>
      connection.del(await connection.keys(`nimo:throttle:${name}*`)),
  },
} as const;

const limit = (max: number, leaseSize: number): RateLimit => ({
  name: randomUUID(),
  max,
  seconds: 60,
  leaseSize,
  code: 'TOO_MANY_REQUESTS',
});

async function allowed(limiters: readonly RateLimiter[], of: RateLimit, uses: number): Promise<number> {
  const tries = Array.from({ length: uses }, async (_, n) =>
    limiters[n % limiters.length]?.useExactly(of, 'ada'),
  );
  return (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled').length;
}

describe.each(['PostgreSQL', 'Redis'] as const)('a limit in %s', (engine) => {
  const { throttles, endWindow } = ENGINES[engine];
  const processOf = (rateLimitFactor = 1) =>
    new RateLimiter(throttles(), { rateLimitFactor }, new Metrics('test'));

  it.each([
    [10, 1],
    [10, 4],
    [7, 7],
  ])(
    'of %i in leases of %i is never exceeded, by one process or several, in sequence or concurrently',
    async (max, leaseSize) => {
      expect(await allowed([processOf()], limit(max, 1), 30)).toBe(max);
      const shared = limit(max, leaseSize);
      const together = await allowed([processOf(), processOf(), processOf()], shared, 60);
      expect(together).toBeLessThanOrEqual(max);
      const sequential = limit(max, leaseSize);
      const limiter = processOf();
      for (let use = 0; use < max; use++) await limiter.useExactly(sequential, 'ada');
      await expect(limiter.useExactly(sequential, 'ada')).rejects.toMatchObject({
        code: 'TOO_MANY_REQUESTS',
      });
    },
  );

  it('accepts amounts across processes and reports the limit and the wait', async () => {
    const of = { ...limit(100, 20), code: 'ASKED_TOO_MUCH' } as const;
    const [one, other] = [processOf(), processOf()];
    for (const limiter of [one, other, one]) await limiter.useMany(of, 'ada', 30);
    const refused = one.useMany(of, 'ada', 30);
    await expect(refused).rejects.toMatchObject({ code: 'ASKED_TOO_MUCH', params: { most: 100 } });
    await expect(refused).rejects.toThrow(/Too many requests in one minute.* in [1-6]?\d seconds/);
    await one.useMany(of, 'bob', 100);
  });

  it('is used up by recording more than is left', async () => {
    const of = { ...limit(100, 20), code: 'ASKED_TOO_MUCH' } as const;
    const limiter = processOf();
    await limiter.useMany(of, 'ada', 30);
    await limiter.recordUse(of, 'ada', 500);
    await expect(limiter.useMany(of, 'ada', 1)).rejects.toMatchObject({ code: 'ASKED_TOO_MUCH' });
    await limiter.recordUse(of, 'bob', 99);
    await limiter.useMany(of, 'bob', 1);
  });

  it('grants the local allowance without a lease', async () => {
    const of = { ...limit(10, 10), localAllowance: 30 };
    const limiter = processOf();
    for (const amount of [10, 15, 5]) await limiter.useMany(of, 'ada', amount);
    expect(await limiter.hasRemaining(of, 'ada')).toBe(true);
    await limiter.useMany(of, 'ada', 10);
    await expect(limiter.useMany(of, 'ada', 1)).rejects.toThrow();
  });

  it('is counted per subject', async () => {
    const [limiter, of] = [processOf(), limit(1, 1)];
    await limiter.useExactly(of, 'ada');
    await limiter.useExactly(of, 'bob');
    await expect(limiter.useExactly(of, 'ada')).rejects.toThrow();
  });

  it('resets with the next window', async () => {
    const [limiter, of] = [processOf(), limit(1, 1)];
    await limiter.useExactly(of, 'ada');
    await expect(limiter.useExactly(of, 'ada')).rejects.toThrow();
    await endWindow(of.name);
    // Another process, since this one cached the end of its window.
    await processOf().useExactly(of, 'ada');
  });

  it('is scaled unless it is a product rule', async () => {
    const limiter = processOf(2);
    const tries = Array.from({ length: 300 }, () => limiter.use('reports', 'ada'));
    const fulfilled = (await Promise.allSettled(tries)).filter(({ status }) => status === 'fulfilled');
    expect(fulfilled.length).toBeLessThanOrEqual(120);
    expect(fulfilled.length).toBeGreaterThanOrEqual(100);
  });
});

describe('limits in Redis', () => {
  it('expire with their window', async () => {
    const throttles = ENGINES.Redis.throttles();
    const of = { ...limit(5, 2), seconds: 3_600 };
    const first = await throttles.take(of.name, of);
    const second = await throttles.take(of.name, of);
    expect([first.used, second.used]).toEqual([2, 4]);
    expect(second.leftMs).toBeLessThanOrEqual(first.leftMs);
    expect(await connection.pttl(`nimo:throttle:${of.name}`)).toBeLessThanOrEqual(3_600_000);
    expect(await connection.pttl(`nimo:throttle:${of.name}`)).toBeGreaterThan(3_500_000);
  });
});

describe('a lease', () => {
  it('commits asynchronously, unlike a single use', async () => {
    // The test server disables synchronous commits.
    const pool = openPool({ connectionString: database.url, options: '-c synchronous_commit=on', max: 1 });
    // Deferred, to read the setting at commit.
    await pool.query(`
      create table public.commits (key text, mode text);
      create function public.note_commit() returns trigger language plpgsql as $$
        begin insert into public.commits values (new.key, current_setting('synchronous_commit')); return null; end $$;
      create constraint trigger note_commit after insert or update on state.throttle
        deferrable initially deferred for each row execute function public.note_commit()`);
    const limiter = new RateLimiter(new PostgresThrottles(pool), { rateLimitFactor: 1 }, new Metrics('test'));
    const [single, leased] = [limit(10, 1), limit(10, 4)];
    for (const each of [single, leased]) await limiter.useExactly(each, 'ada');
    const { rows } = await pool.query('select key, mode from public.commits order by mode desc');
    await pool.query('drop function public.note_commit() cascade; drop table public.commits');
    await pool.end();
    expect(rows).toEqual([
      { key: `${single.name}:ada`, mode: 'on' },
      { key: `${leased.name}:ada`, mode: 'off' },
    ]);
  });
});
