import { Global, Inject, Injectable, Module, type OnApplicationShutdown } from '@nestjs/common';
import { DiscoveryModule } from '@nestjs/core';
import { Redis } from 'ioredis';
import { Pool } from 'pg';
import type { Settings } from '../config/load-settings.js';
import { ClaimHasher } from '../personal-data/key-uses.js';
import { openRedis } from '../redis/open-redis.js';
import { SETTINGS } from '../config/tokens.js';
import {
  HashedThrottles,
  PostgresThrottles,
  RateLimiter,
  RedisThrottles,
  Throttles,
} from './rate-limiter.js';
import { LimitsCheck } from './limited.js';
import { LoginThrottle } from './login-throttle.js';

const CONNECTION = Symbol('nimo:throttles-redis');

const connect = async ({ redisUrl }: Settings): Promise<Redis | undefined> => {
  if (redisUrl === undefined) return undefined;
  const redis = openRedis(redisUrl, 'throttles');
  // RedisThrottles falls back to the database.
  await redis.connect().catch(() => undefined);
  return redis;
};

@Injectable()
class RedisDisconnect implements OnApplicationShutdown {
  constructor(@Inject(CONNECTION) private readonly redis: Redis | undefined) {}

  onApplicationShutdown(): void {
    this.redis?.disconnect();
  }
}

/** Rate limits shared by all processes. Failed logins are kept in the database, to survive a flushed Redis. */
@Global()
@Module({
  imports: [DiscoveryModule],
  providers: [
    RateLimiter,
    LoginThrottle,
    LimitsCheck,
    RedisDisconnect,
    { provide: CONNECTION, useFactory: connect, inject: [SETTINGS] },
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
