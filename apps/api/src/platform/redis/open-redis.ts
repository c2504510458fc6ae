import { Redis } from 'ioredis';

const MAX_BACKOFF_MS = 2_000;
const COMMAND_TIMEOUT_MS = 1_000;

/**
 * A connection for interactive requests: while Redis is down, commands fail immediately so that callers can fall back. Reconnects
 * automatically.
 */
export function openRedis(url: string, name: string): Redis {
  const redis = new Redis(url, {
    connectionName: `nimo-${name}`,
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    commandTimeout: COMMAND_TIMEOUT_MS,
    connectTimeout: 3_000,
    keepAlive: 10_000,
    autoResubscribe: false,
    retryStrategy: (times) => Math.min(50 * 2 ** Math.min(times, 10), MAX_BACKOFF_MS),
  });
  // Callers report failures; an unhandled error event would end the process.
  redis.on('error', () => undefined);
  return redis;
}
