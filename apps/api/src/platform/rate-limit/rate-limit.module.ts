import { Global, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import type { Settings } from '../config/load-settings.js';
import { ClaimHasher } from '../personal-data/claim-hash.js';
import { openRedis } from '../redis/open-redis.js';
import { SETTINGS } from '../runtime/tokens.js';
import { HashedThrottles } from './hashed-throttles.js';
import { LimitsCheck } from './limits.check.js';
import { LoginThrottle } from './login-throttle.js';
import { PostgresThrottles } from './postgres-throttles.js';
import { RateLimiter } from './rate-limiter.js';
import { RedisThrottles } from './redis-throttles.js';
import { Throttles } from './throttles.js';

const CONNECTION = Symbol('nimo:throttles-redis');

const connected = async ({ redisUrl }: Settings): Promise<Redis | undefined> => {
  if (redisUrl === undefined) return undefined;
  const redis = openRedis(redisUrl, 'throttles');
  // Without it the windows are those of the database.
  await redis.connect().catch(() => undefined);
  return redis;
};

@Injectable()
class ThrottlesEnd implements OnApplicationShutdown {
  constructor(@Inject(CONNECTION) private readonly redis: Redis | undefined) {}

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }
}

/** How often somebody may do something, counted for all processes together. Failed logins stay in the database: they outlive a flushed Redis. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    RateLimiter,
    LoginThrottle,
    LimitsCheck,
    ThrottlesEnd,
    { provide: CONNECTION, useFactory: connected, inject: [SETTINGS] },
    {
      provide: Throttles,
      useFactory: (pool: Pool, redis: Redis | undefined, hasher: ClaimHasher) => {
        const inDatabase = new PostgresThrottles(pool);
        return new HashedThrottles(redis ? new RedisThrottles(redis, inDatabase) : inDatabase, hasher);
      },
      inject: [Pool, CONNECTION, ClaimHasher],
    },
  ],
  exports: [RateLimiter, LoginThrottle, LimitsCheck],
})
export class RateLimitModule {}
