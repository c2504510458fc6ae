import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { createTestDatabase, type TestDatabase } from '../../../../../test/postgres.js';
import { loadSettings } from '../../platform/config/load-settings.js';
import { createLogger } from '../../platform/logging/logger.js';
import { openJobQueues, type JobQueues } from './job-queues.js';

const key = (): string => randomBytes(32).toString('base64');

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

interface RedisServer {
  readonly url: string;
  stop(): Promise<void>;
}

/** Debian's Redis, in memory only, on a loopback port of its own. */
async function startRedis(): Promise<RedisServer> {
  const folder = await mkdtemp(join(tmpdir(), 'nimo-redis-'));
  const port = await freePort();
  const program = process.env['NIMO_REDIS_SERVER'] ?? 'redis-server';
  const parameters = ['--bind', '127.0.0.1', '--port', String(port), '--save', '', '--dir', folder];
  const server: ChildProcess = spawn(program, parameters, { stdio: 'ignore' });
  const url = `redis://127.0.0.1:${port}`;
  const client = new Redis(url, { maxRetriesPerRequest: 100, retryStrategy: () => 50 });
  await client.ping();
  await client.quit();
  return {
    url,
    async stop() {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

describe.each(['PostgreSQL', 'Redis'] as const)('jobs on %s', (engine) => {
  let database: TestDatabase;
  let redis: RedisServer | undefined;
  let queues: JobQueues;

  beforeAll(async () => {
    database = await createTestDatabase();
    redis = engine === 'Redis' ? await startRedis() : undefined;
    const settings = loadSettings({
      DATABASE_URL: database.url,
      NIMO_MASTER_KEY: key(),
      NIMO_HMAC_KEY: key(),
      NIMO_SIGNING_KEY: key(),
      ...(redis && { REDIS_URL: redis.url }),
    });
    queues = openJobQueues(settings, createLogger({ name: 'jobs', level: 'silent' }));
  });

  afterAll(async () => {
    await queues.close();
    await redis?.stop();
    await database.drop();
  });

  it('does what was asked, the same job once, and again what failed', async () => {
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
