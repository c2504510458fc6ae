import { randomBytes, randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTestDatabase, eventually, type TestDatabase } from '@nimo/testing';
import { TestRedis } from '../../../../../../test/servers/redis.js';
import { loadSettings, type Settings } from '../../config/load-settings.js';
import { createLogger } from '../../logging/logger.js';
import { Metrics } from '../../operations/metrics.js';
import { Tracing } from '../../operations/tracing.js';
import { openJobQueues, type JobQueues, type JobWatch } from './job-queues.js';

const key = (): string => randomBytes(32).toString('base64');

function jobWatch(settings: Settings): JobWatch {
  const logger = createLogger({ name: 'jobs', level: 'silent' });
  return { logger, metrics: new Metrics('test'), tracing: new Tracing(settings, logger, 'jobs') };
}

describe.each(['PostgreSQL', 'Redis'] as const)('jobs on %s', (engine) => {
  let database: TestDatabase;
  let redis: TestRedis | undefined;
  let queues: JobQueues;

  beforeAll(async () => {
    database = await createTestDatabase();
    redis = engine === 'Redis' ? await TestRedis.start() : undefined;
    const settings = loadSettings({
      DATABASE_URL: database.url,
      NIMO_MASTER_KEY: key(),
      NIMO_HMAC_KEY: key(),
      NIMO_SIGNING_KEY: key(),
      ...(redis && { REDIS_URL: redis.url }),
    });
    queues = openJobQueues(settings, jobWatch(settings));
  });

  afterAll(async () => {
    await queues.close();
    await redis?.stop();
    await database.drop();
  });

  it('runs each job once and retries failed ones', async () => {
    const done: string[] = [];
    const [first, failing, last] = [randomUUID(), randomUUID(), randomUUID()];
    let hasFailed = false;
    const finished = new EventEmitter();
    const seen = once(finished, 'all');
    await queues.work('image', ({ key: image }) => {
      if (image === failing && !hasFailed) {
        hasFailed = true;
        return Promise.reject(new Error('the first try fails'));
      }
      done.push(image);
      if (done.includes(failing) && done.includes(last)) finished.emit('all');
      return Promise.resolve();
    });
    for (const image of [first, first, failing, first, last]) {
      await queues.add('image', { key: image }, image);
    }
    await seen;
    expect(done.toSorted()).toEqual([first, failing, last].toSorted());
  });
});

/** Number of open connections other than the test's own. */
async function connected(database: TestDatabase, redis: TestRedis | undefined): Promise<number> {
  const pool = database.pool();
  const { rows } = await pool.query<{ count: number }>(
    `select count(*)::int as count from pg_stat_activity where datname = current_database() and application_name = 'nimo test jobs'`,
  );
  const clients = (await redis?.ask((client) => client.client('LIST'))) as string | undefined;
  const ours = (clients ?? '').split('\n').filter((line) => / name=(?:nimo|bull)/.test(line));
  return (rows[0]?.count ?? 0) + ours.length;
}

describe.each(['PostgreSQL', 'Redis'] as const)('closing, on %s', (engine) => {
  it('completes without open connections despite a stuck job', async () => {
    const database = await createTestDatabase();
    const redis = engine === 'Redis' ? await TestRedis.start() : undefined;
    try {
      const settings = loadSettings({
        DATABASE_URL: database.url,
        NIMO_MASTER_KEY: key(),
        NIMO_HMAC_KEY: key(),
        NIMO_SIGNING_KEY: key(),
        ...(redis && { REDIS_URL: redis.url }),
      });
      const queues = openJobQueues(settings, jobWatch(settings), 100);
      let hasStarted = false;
      await queues.work('image', () => {
        hasStarted = true;
        return new Promise(() => undefined);
      });
      await queues.add('image', { key: 'endless' }, randomUUID());
      await eventually(() => hasStarted);
      expect(await connected(database, redis)).toBeGreaterThan(0);
      await queues.close();
      await eventually(
        () => connected(database, redis),
        (count) => count === 0,
      );
    } finally {
      await redis?.stop();
      await database.drop();
    }
  });
});
