import { setTimeout as delay } from 'node:timers/promises';
import {
  createPostgresBackend,
  createRedisBackend,
  withBackend,
  type Job,
  type PgPool,
  type Processor,
  type Queue,
  type Worker,
} from 'bullmq';
import { Redis, type RedisOptions } from 'ioredis';
import { openPool } from '@nimo/event-store';
import type pg from 'pg';
import type { Settings } from '../../config/load-settings.js';
import { ensureJobSchema, JOB_SCHEMA } from '../../database/job-schema.js';
import { connectionName } from '../../database/open-database.js';
import { ApiError, SOMETHING_WENT_WRONG } from '../../errors/api-error.js';
import { correlation, type Logger } from '../../logging/logger.js';
import type { Metrics } from '../../operations/metrics.js';
import type { Tracing } from '../../operations/tracing.js';
import { openRedis } from '../../redis/open-redis.js';
import { withTimeout } from '../../operations/health.js';

const POOL_SIZE = 6;
const ADD_TIMEOUT_MS = 3_000;
/** Time for running jobs at shutdown. Longer ones are retried elsewhere once their lock expires. */
const DRAIN_TIMEOUT_MS = 5_000;
/** Timeout of each further closing step: BullMQ may wait forever for a server that was down. */
const CLOSE_TIMEOUT_MS = 1_000;
const RETRY_OPTIONS = { attempts: 5, backoff: { type: 'exponential', delay: 1_000 } } as const;
/** Failed jobs are kept a day for inspection, with their payload. */
const RETENTION_OPTIONS = { removeOnComplete: { age: 60 }, removeOnFail: { age: 24 * 60 * 60 } } as const;

/** Job payloads by queue. */
export interface JobPayloads {
  /** Encrypted: phone number and code. */
  sms: { readonly sealed: string };
  /** Encrypted: email addresses and password hashes. */
  accountMail: { readonly sealed: string };
  image: { readonly key: string };
  ownExport: { readonly id: string };
}
export type QueueName = keyof JobPayloads;
/** Fails to compile if one is missing. */
export const QUEUE_NAMES = Object.keys({ sms: 0, accountMail: 0, image: 0, ownExport: 0 } satisfies Record<
  QueueName,
  0
>) as QueueName[];

export interface QueueDepth {
  readonly queue: QueueName;
  /** Number of jobs by state. */
  readonly states: Readonly<Record<string, number>>;
}

export interface JobQueues {
  /** @param jobId derived from the command or event; deduplicates jobs */
  add<Name extends QueueName>(name: Name, payload: JobPayloads[Name], jobId: string): Promise<void>;
  /** Processes the queue's jobs until `close`. */
  work<Name extends QueueName>(
    name: Name,
    perform: (payload: JobPayloads[Name]) => Promise<void>,
  ): Promise<void>;
  /** Job counts of each queue. */
  depths(): Promise<readonly QueueDepth[]>;
  /** Accepts no more jobs and waits for running ones. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/** Logging, metrics and tracing of jobs. */
export interface JobWatch {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}

interface Backend {
  makeQueue(name: string): Queue;
  makeWorker(name: string, processor: Processor): Worker;
  /** Closes all connections, by force if necessary. */
  disconnect(): Promise<void>;
}

/** BullMQ on PostgreSQL, or on Redis if configured. Connects on first use. */
export function openJobQueues(
  settings: Settings,
  watch: JobWatch,
  drainTimeoutMs = DRAIN_TIMEOUT_MS,
): JobQueues {
  const { redisUrl } = settings;
  return new BullQueues(
    () =>
      redisUrl === undefined
        ? onPostgres(settings, watch.metrics.process)
        : Promise.resolve(onRedis(redisUrl)),
    watch,
    drainTimeoutMs,
  );
}

async function onPostgres({ databaseUrl, databaseDirectUrl }: Settings, process: string): Promise<Backend> {
  // A separate pool: BullMQ needs its search path, and workers LISTEN on their connections.
  const pool = openPool({
    connectionString: databaseDirectUrl ?? databaseUrl,
    max: POOL_SIZE,
    options: `-c search_path=${JOB_SCHEMA}`,
    keepAlive: true,
    application_name: connectionName(process, 'jobs'),
  });
  const connected = new Set<pg.PoolClient>();
  pool.on('connect', (created) => connected.add(created)).on('remove', (gone) => connected.delete(gone));
  const client = await pool.connect();
  try {
    await ensureJobSchema(client);
  } finally {
    client.release();
  }
  const { Queue, Worker } = withBackend(createPostgresBackend);
  // BullMQ declares its own pool type, with overloads missing from pg's.
  const connection = pool as unknown as PgPool;
  return {
    makeQueue: (name) => new Queue(name, { connection }) as unknown as Queue,
    makeWorker: (name, processor) => new Worker(name, processor, { connection }) as unknown as Worker,
    disconnect: async () => {
      const ended = pool.end();
      // `end` waits for checked-out connections, forever if necessary.
      await withTimeout(ended, CLOSE_TIMEOUT_MS).catch(() => undefined);
      for (const left of connected) (left as unknown as pg.Client).end().catch(() => undefined);
    },
  };
}

function onRedis(url: string): Backend {
  // Adding jobs must fail fast; workers wait as long as it takes.
  const adding = openRedis(url, 'jobs');
  const working = new Redis(url, {
    maxRetriesPerRequest: null,
    connectionName: 'nimo-work',
    lazyConnect: true,
  });
  working.on('error', () => undefined);
  // Each worker duplicates the connection for blocking reads and may not close the copy.
  const waiting: { disconnect(): void }[] = [];
  const duplicate = working.duplicate.bind(working);
  working.duplicate = (override?: Partial<RedisOptions>) => {
    const copy = duplicate(override);
    waiting.push(copy);
    return copy;
  };
  const { Queue, Worker } = withBackend(createRedisBackend);
  return {
    makeQueue: (name) => new Queue(name, { connection: adding }),
    makeWorker: (name, processor) => new Worker(name, processor, { connection: working }),
    disconnect: () => {
      for (const connection of [adding, working, ...waiting]) connection.disconnect();
      return Promise.resolve();
    },
  };
}

class BullQueues implements JobQueues {
  private readonly queues = new Map<QueueName, Queue>();
  private readonly workers: Worker[] = [];
  private opened: Promise<Backend> | undefined;
  private finishing: Promise<void> | undefined;

  constructor(
    private readonly open: () => Promise<Backend>,
    private readonly watch: JobWatch,
    private readonly drainTimeoutMs: number,
  ) {}

  async add<Name extends QueueName>(name: Name, payload: JobPayloads[Name], jobId: string): Promise<void> {
    // BullMQ reserves colons in ids.
    const queue = this.queue(name, await this.backend());
    const adding = queue.add(
      name,
      { ...payload, ...correlation.getStore() },
      { jobId: jobId.replaceAll(':', '_'), ...RETRY_OPTIONS, ...RETENTION_OPTIONS },
    );
    await this.withTimeout(adding, name);
  }

  async work<Name extends QueueName>(
    name: Name,
    perform: (payload: JobPayloads[Name]) => Promise<void>,
  ): Promise<void> {
    const worker = (await this.backend()).makeWorker(name, (job) =>
      this.runJob(name, job, () => perform(job.data as JobPayloads[Name])),
    );
    worker.on('error', (err) => this.watch.logger.warn({ err, queue: name }, 'job queue failed'));
    this.workers.push(worker);
  }

  async depths(): Promise<readonly QueueDepth[]> {
    const backend = await this.backend();
    return Promise.all(
      QUEUE_NAMES.map(async (queue) => {
        try {
          return { queue, states: await this.queue(queue, backend).getJobCounts() };
        } catch (error) {
          this.forget(queue);
          throw error;
        }
      }),
    );
  }

  finish(): Promise<void> {
    this.finishing ??= this.closeAll('workers', this.workers, this.drainTimeoutMs);
    return this.finishing;
  }

  async close(): Promise<void> {
    await this.finish();
    await this.closeAll('queues', [...this.queues.values()], CLOSE_TIMEOUT_MS);
    const backend = await withTimeout(Promise.resolve(this.opened), CLOSE_TIMEOUT_MS).catch(() => undefined);
    await backend?.disconnect();
  }

  /** Parts that do not close in time are abandoned: their connections are closed at the end. */
  private async closeAll(
    what: string,
    parts: readonly { close(): Promise<void> }[],
    withinMs: number,
  ): Promise<void> {
    try {
      await withTimeout(Promise.all(parts.map((part) => part.close())), withinMs);
    } catch (err) {
      this.watch.logger.warn({ err }, `job ${what} did not close in time`);
    }
  }

  /** Runs a job under the correlation id of the request that added it. */
  private runJob(name: QueueName, { id, data }: Job, perform: () => Promise<void>): Promise<void> {
    const { logger, metrics, tracing } = this.watch;
    const work = async (): Promise<void> => {
      const end = metrics.jobSeconds.startTimer({ queue: name });
      try {
        await tracing.inSpan(`job ${name}`, {}, perform);
        end({ outcome: 'done' });
        logger.debug({ queue: name, job: id }, 'job done');
      } catch (err) {
        end({ outcome: 'failed' });
        logger.warn({ err, queue: name, job: id }, 'job failed');
        throw err;
      }
    };
    const { correlationId } = data as { readonly correlationId?: unknown };
    return typeof correlationId === 'string' ? correlation.run({ correlationId }, work) : work();
  }

  /** Callers may retry: the job id deduplicates. */
  private async withTimeout(adding: Promise<unknown>, queue: QueueName): Promise<void> {
    const over = new AbortController();
    const late = delay(ADD_TIMEOUT_MS, undefined, { signal: over.signal }).then(() => {
      throw new Error('adding the job timed out');
    });
    try {
      await Promise.race([adding, late]);
    } catch (err) {
      this.watch.logger.warn({ err, queue }, 'could not add a job');
      this.forget(queue);
      throw new ApiError('UNAVAILABLE', SOMETHING_WENT_WRONG);
    } finally {
      over.abort();
      await Promise.allSettled([late]);
    }
  }

  /** A queue created while its server was down never connects. */
  private forget(name: QueueName): void {
    const queue = this.queues.get(name);
    this.queues.delete(name);
    queue?.close().catch(() => undefined);
  }

  private backend(): Promise<Backend> {
    this.opened ??= this.open().catch((error: unknown) => {
      // Retry on next use.
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }

  private queue(name: QueueName, backend: Backend): Queue {
    const existing = this.queues.get(name);
    if (existing) return existing;
    const made = backend.makeQueue(name);
    made.on('error', (err) => this.watch.logger.warn({ err, queue: name }, 'job queue failed'));
    this.queues.set(name, made);
    return made;
  }
}
