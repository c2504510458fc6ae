import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { createTestDatabase } from '@nimo/testing';
import { TestRedis } from '../../../../../test/servers/redis.js';
import { Metrics } from '../operations/metrics.js';
import { openRedis } from '../redis/open-redis.js';
import type { RateLimit } from './limits.js';
import { PostgresThrottles, RateLimiter, RedisThrottles } from './rate-limiter.js';

const USES = 20;
const FOUR: RateLimit = {
  name: randomUUID(),
  max: 4,
  seconds: 3_600,
  leaseSize: 1,
  code: 'TOO_MANY_REQUESTS',
};

it('falls back to the limits in the database while Redis is down', async () => {
  const [database, redis] = await Promise.all([createTestDatabase(), TestRedis.start()]);
  const connection = openRedis(redis.url, 'test');
  try {
    await connection.connect();
    const limiters = [1, 2].map(
      () =>
        new RateLimiter(
          new RedisThrottles(connection, new PostgresThrottles(database.pool())),
          { rateLimitFactor: 1 },
          new Metrics('test'),
        ),
    );
    await redis.kill();
    const uses = await Promise.allSettled(
      Array.from({ length: USES }, async (_, use) =>
        limiters[use % limiters.length]?.useExactly(FOUR, 'ada'),
      ),
    );
    expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(FOUR.max);
  } finally {
    connection.disconnect();
    await redis.stop();
    await database.drop();
  }
});
