import type { Redis } from 'ioredis';
import { type Taken, Throttles } from './throttles.js';

/** One step for Redis, so that nobody takes in between. The window ends by the server's clock, and the key with it. */
const TAKE = `
  local used = math.min(tonumber(redis.call('GET', KEYS[1]) or '0'), tonumber(ARGV[3])) + tonumber(ARGV[2])
  local left = redis.call('PTTL', KEYS[1])
  if left <= 0 then left = tonumber(ARGV[1]) end
  redis.call('SET', KEYS[1], used, 'PX', left)
  return { used, left }
`;

interface WithScript {
  nimoTake(key: string, windowMs: number, portion: number, most: number): Promise<[number, number]>;
}

/**
 * Keys of Redis. Where it does not answer, the windows in the database are used: they begin anew, so that for the time being at most twice
 * as much is allowed, and nobody waits or goes unlimited.
 */
export class RedisThrottles extends Throttles {
  constructor(
    private readonly redis: Redis,
    private readonly fallback: Throttles,
  ) {
    super();
    redis.defineCommand('nimoTake', { numberOfKeys: 1, lua: TAKE });
  }

  async take(...[key, limit]: Parameters<Throttles['take']>): Promise<Taken> {
    const { most, seconds, portion } = limit;
    try {
      const [used, leftMs] = await (this.redis as Redis & WithScript).nimoTake(
        `nimo:throttle:${key}`,
        seconds * 1000,
        portion,
        most,
      );
      return { used, leftMs };
    } catch {
      return this.fallback.take(key, limit);
    }
  }
}
