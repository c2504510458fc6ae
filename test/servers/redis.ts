import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import { guard } from './guardian.js';

/** A local Redis server without persistence, on its own port. */
export class TestRedis {
  private server: ChildProcess | undefined;
  private release: () => void = () => undefined;

  private constructor(
    private readonly folder: string,
    private readonly port: number,
  ) {}

  static async start(): Promise<TestRedis> {
    const redis = new TestRedis(await mkdtemp(join(tmpdir(), 'nimo-redis-')), await freePort());
    await redis.restart();
    return redis;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** Starts the server again, on the same port and without data. */
  async restart(): Promise<void> {
    const program = process.env['NIMO_REDIS_SERVER'] ?? 'redis-server';
    const parameters = [
      '--bind',
      '127.0.0.1',
      '--port',
      String(this.port),
      '--save',
      '',
      '--dir',
      this.folder,
    ];
    this.server = spawn(program, parameters, { stdio: 'ignore' });
    const { pid } = this.server;
    if (pid !== undefined) this.release = guard({ pid });
    await this.ask((redis) => redis.ping());
  }

  /** Runs commands on a separate connection. */
  async ask<Answer>(question: (redis: Redis) => Promise<Answer>): Promise<Answer> {
    const redis = new Redis(this.url, { maxRetriesPerRequest: 100, retryStrategy: () => 50 });
    redis.on('error', () => undefined);
    try {
      return await question(redis);
    } finally {
      redis.disconnect();
    }
  }

  /** Sends SIGKILL. */
  async kill(): Promise<void> {
    const server = this.server;
    this.server = undefined;
    if (!server) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
    this.release();
  }

  async stop(): Promise<void> {
    await this.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
