import { Redis } from 'ioredis';

const MAX_PAUSE_MS = 2_000;
const ANSWERS_WITHIN_MS = 1_000;

/**
 * A connection for requests that somebody waits for: while Redis is away a command fails at once instead of waiting for it, so that
 * whoever sent it can do without. It comes back by itself.
 */
export function openRedis(url: string, name: string): Redis {
  const redis = new Redis(url, {
    connectionName: `nimo-${name}`,
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: ANSWERS_WITHIN_MS,
    connectTimeout: 3_000,
    keepAlive: 10_000,
    autoResubscribe: false,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), MAX_PAUSE_MS),
  });
  // Told of by what its users do without it; an unheard error event would end the process.
  redis.on('error', () => undefined);
  return redis;
}
