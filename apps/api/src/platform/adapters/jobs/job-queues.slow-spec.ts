import { randomBytes, randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { eventually } from '@nimo/testing';
import { TestRedis } from '../../../../../../test/servers/redis.js';
import { loadSettings } from '../../config/load-settings.js';
import { createLogger } from '../../logging/logger.js';
import { Metrics } from '../../operations/metrics.js';
import { Tracing } from '../../operations/tracing.js';
import { openJobQueues } from './job-queues.js';

const key = (): string => randomBytes(32).toString('base64');

it('fails fast while Redis is down and runs jobs again afterwards', async () => {
  const redis = await TestRedis.start();
  const settings = loadSettings({
    DATABASE_URL: 'postgres://nobody@127.0.0.1/none',
    NIMO_MASTER_KEY: key(),
    NIMO_HMAC_KEY: key(),
    NIMO_SIGNING_KEY: key(),
    REDIS_URL: redis.url,
  });
  const logger = createLogger({ name: 'jobs', level: 'silent' });
  const queues = openJobQueues(settings, {
    logger,
    metrics: new Metrics('test'),
    tracing: new Tracing(settings, logger, 'jobs'),
  });
  try {
    const done: string[] = [];
    await queues.work('image', ({ key: image }) => {
      done.push(image);
      return Promise.resolve();
    });
    await queues.add('image', { key: 'before' }, randomUUID());
    await eventually(() => done.includes('before'));
    await redis.kill();
    await expect(queues.add('image', { key: 'lost' }, randomUUID())).rejects.toMatchObject({
      code: 'UNAVAILABLE',
    });
    await redis.restart();
    await eventually(async () => {
      await queues.add('image', { key: 'again' }, randomUUID()).catch(() => undefined);
      return done.includes('again');
    });
    expect(done).not.toContain('lost');
  } finally {
    await queues.close();
    await redis.stop();
  }
});
