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
const ADDED_WITHIN_MS = 3_000;
/** Of jobs at hand when this process goes. What takes longer is done again elsewhere: its lock runs out. */
const JOBS_END_WITHIN_MS = 5_000;
/** Of each further step of closing: BullMQ may wait for an answer of a server that was away, and that never comes. */
const CLOSED_WITHIN_MS = 1_000;
const TRIES = { attempts: 5, backoff: { type: 'exponential', delay: 1_000 } } as const;
/** Long enough to look at what failed; a payload is not kept longer than that. */
const KEPT = { removeOnComplete: { age: 60 }, removeOnFail: { age: 24 * 60 * 60 } } as const;

/** Queues by name, with what a job of each carries. */
export interface JobPayloads {
  /** Encrypted: a queue is no place for a phone with its code. */
  sms: { readonly sealed: string };
  /** Encrypted: addresses, and the hash of a password. */
  accountMail: { readonly sealed: string };
  image: { readonly key: string };
  ownExport: { readonly id: string };
}
export type QueueName = keyof JobPayloads;
/** A compile error where one is missing. */
const QUEUE_NAMES = Object.keys({ sms: 0, accountMail: 0, image: 0, ownExport: 0 } satisfies Record<
  QueueName,
  0
>) as QueueName[];

export interface QueueDepth {
  readonly queue: QueueName;
  /** How many jobs are in each state. */
  readonly states: Readonly<Record<string, number>>;
}

export interface JobQueues {
  /** @param jobId of the command or event that wants it: the same job is not done twice */
  add<Name extends QueueName>(name: Name, payload: JobPayloads[Name], jobId: string): Promise<void>;
  /** Works on the queue's jobs in this process until `close`. */
  work<Name extends QueueName>(
    name: Name,
    perform: (payload: JobPayloads[Name]) => Promise<void>,
  ): Promise<void>;
  /** What lies in each queue. */
  depths(): Promise<readonly QueueDepth[]>;
  /** Takes no new job and lets those at hand end. */
  finish(): Promise<void>;
  close(): Promise<void>;
}

/** Who is told how the jobs go. */
export interface JobWatch {
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly tracing: Tracing;
}

interface Backend {
  makeQueue(name: string): Queue;
  makeWorker(name: string, processor: Processor): Worker;
  /** Lets go of all connections, however they are. */
  disconnect(): Promise<void>;
}

/** BullMQ on PostgreSQL, or on Redis where one is configured. Connects when it is first used. */
export function openJobQueues(
  settings: Settings,
  watch: JobWatch,
  jobsEndWithinMs = JOBS_END_WITHIN_MS,
): JobQueues {
  const { redisUrl } = settings;
  return new BullQueues(
    () =>
      redisUrl === undefined
        ? onPostgres(settings, watch.metrics.process)
        : Promise.resolve(onRedis(redisUrl)),
    watch,
    jobsEndWithinMs,
  );
}

async function onPostgres({ databaseUrl, databaseDirectUrl }: Settings, process: string): Promise<Backend> {
  // A pool of its own: BullMQ finds its schema by the search path, and workers LISTEN on its connections.
  const pool = openPool({
    connectionString: databaseDirectUrl ?? databaseUrl,
    max: POOL_SIZE,
    options: `-c search_path=${JOB_SCHEMA}`,
    keepAlive: true,
    application_name: connectionName(process, 'jobs'),
  });
  const connected = new Set<pg.PoolClient>();
  pool.on('connect', (made) => connected.add(made)).on('remove', (gone) => connected.delete(gone));
  const client = await pool.connect();
  try {
    await ensureJobSchema(client);
  } finally {
    client.release();
  }
  const { Queue, Worker } = withBackend(createPostgresBackend);
  // BullMQ describes the pool by hand, with overloads that pg's own types do not have.
  const connection = pool as unknown as PgPool;
  return {
    makeQueue: (name) => new Queue(name, { connection }) as unknown as Queue,
    makeWorker: (name, processor) => new Worker(name, processor, { connection }) as unknown as Worker,
    disconnect: async () => {
      const ended = pool.end();
      // A pool waits for those who hold a connection, for ever if need be.
      await withTimeout(ended, CLOSED_WITHIN_MS).catch(() => undefined);
      for (const left of connected) (left as unknown as pg.Client).end().catch(() => undefined);
    },
  };
}

function onRedis(url: string): Backend {
  // Who adds a job waits for nobody; who works on jobs waits for as long as it takes.
  const adding = openRedis(url, 'jobs');
  const working = new Redis(url, {
    maxRetriesPerRequest: null,
    connectionName: 'nimo-work',
    lazyConnect: true,
  });
  working.on('error', () => undefined);
  // Each worker makes one of its own out of it, to wait on, and may keep it when it is told to close.
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
    private readonly jobsEndWithinMs: number,
  ) {}

  async add<Name extends QueueName>(name: Name, payload: JobPayloads[Name], jobId: string): Promise<void> {
    // BullMQ reads a colon in an id as its own.
    const queue = this.queue(name, await this.backend());
    const adding = queue.add(
      name,
      { ...payload, ...correlation.getStore() },
      { jobId: jobId.replaceAll(':', '_'), ...TRIES, ...KEPT },
    );
    await this.withTimeout(adding, name);
  }

  async work<Name extends QueueName>(
    name: Name,
    perform: (payload: JobPayloads[Name]) => Promise<void>,
  ): Promise<void> {
    const worker = (await this.backend()).makeWorker(name, (job) =>
      this.performed(name, job, () => perform(job.data as JobPayloads[Name])),
    );
    worker.on('error', (err) => this.watch.logger.warn({ err, queue: name }, 'a job queue failed'));
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
    this.finishing ??= this.closed('workers', this.workers, this.jobsEndWithinMs);
    return this.finishing;
  }

  async close(): Promise<void> {
    await this.finish();
    await this.closed('queues', [...this.queues.values()], CLOSED_WITHIN_MS);
    const backend = await withTimeout(Promise.resolve(this.opened), CLOSED_WITHIN_MS).catch(() => undefined);
    await backend?.disconnect();
  }

  /** What does not close in time is left as it is: its connection is taken away from it at the end. */
  private async closed(
    what: string,
    parts: readonly { close(): Promise<void> }[],
    withinMs: number,
  ): Promise<void> {
    try {
      await withTimeout(Promise.all(parts.map((part) => part.close())), withinMs);
    } catch (err) {
      this.watch.logger.warn({ err }, `${what} of jobs did not close`);
    }
  }

  /** Under the correlation id of the request that wanted it, in the log as in the traces. */
  private performed(name: QueueName, { id, data }: Job, perform: () => Promise<void>): Promise<void> {
    const { logger, metrics, tracing } = this.watch;
    const work = async (): Promise<void> => {
      const end = metrics.jobSeconds.startTimer({ queue: name });
      try {
        await tracing.inSpan(`job ${name}`, {}, perform);
        end({ outcome: 'done' });
        logger.debug({ queue: name, job: id }, 'a job is done');
      } catch (err) {
        end({ outcome: 'failed' });
        logger.warn({ err, queue: name, job: id }, 'a job failed');
        throw err;
      }
    };
    const { correlationId } = data as { readonly correlationId?: unknown };
    return typeof correlationId === 'string' ? correlation.run({ correlationId }, work) : work();
  }

  /** The same job may be asked for again: its id is the same. */
  private async withTimeout(adding: Promise<unknown>, queue: QueueName): Promise<void> {
    const over = new AbortController();
    const late = delay(ADDED_WITHIN_MS, undefined, { signal: over.signal }).then(() => {
      throw new Error('the queue did not answer');
    });
    try {
      await Promise.race([adding, late]);
    } catch (err) {
      this.watch.logger.warn({ err, queue }, 'a job could not be given away');
      this.forget(queue);
      throw new ApiError('UNAVAILABLE', SOMETHING_WENT_WRONG);
    } finally {
      over.abort();
      await Promise.allSettled([late]);
    }
  }

  /** One that was made while its server was away stays without it for ever. */
  private forget(name: QueueName): void {
    const queue = this.queues.get(name);
    this.queues.delete(name);
    queue?.close().catch(() => undefined);
  }

  private backend(): Promise<Backend> {
    this.opened ??= this.open().catch((error: unknown) => {
      // The next use tries again.
      this.opened = undefined;
      throw error;
    });
    return this.opened;
  }

  private queue(name: QueueName, backend: Backend): Queue {
    const known = this.queues.get(name);
    if (known) return known;
    const made = backend.makeQueue(name);
    made.on('error', (err) => this.watch.logger.warn({ err, queue: name }, 'a job queue failed'));
    this.queues.set(name, made);
    return made;
  }
}
