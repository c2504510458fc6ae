import { DomainError, type DomainErrorCode } from '@nimo/domain';
import pLimit, { type LimitFunction } from 'p-limit';
import { type Caller, currentCaller, clientKey, type ClientKey } from './client-address.js';

export interface WorkLimit {
  readonly concurrency: number;
  /** Queue length; further callers are rejected. */
  readonly queueLength: number;
  /** `TOO_MANY_REQUESTS` by default. */
  readonly refusal?: DomainErrorCode;
}

export type Work = 'password' | 'picture' | 'upload' | 'body' | 'search' | 'page';

export const WORK_LIMITS: Readonly<Record<Work, WorkLimit>> = {
  /** Password hashing. Leaves one of libuv's four threads for files and DNS. */
  password: { concurrency: 3, queueLength: 400 },
  /** Image decoding and scaling. */
  picture: { concurrency: 2, queueLength: 200 },
  /** Uploads, each up to 10 MB in memory for the whole request. */
  upload: { concurrency: 12, queueLength: 200, refusal: 'UPLOADS_BUSY' },
  /** Other bodies above 16 kB, each up to 512 kB. They arrive quickly unless a client stalls. */
  body: { concurrency: 64, queueLength: 0 },
  search: { concurrency: 8, queueLength: 400 },
  /** Reading public pages. */
  page: { concurrency: 4, queueLength: 400 },
};

const RETRY_AFTER_SECONDS = 5;

/**
 * Limits CPU- and memory-intensive work. Per kind, a few calls run concurrently and a few hundred are queued, first in, first out. One
 * client gets at most half of the concurrency and half of the places.
 */
export class ExpensiveWork {
  private readonly queues: Readonly<Record<Work, WorkQueue>>;

  /** @param onRefused called for each call rejected because the queue is full */
  constructor(
    limits: Readonly<Record<Work, WorkLimit>> = WORK_LIMITS,
    onRefused: (kind: Work) => void = () => undefined,
  ) {
    const queueOf = (kind: Work): WorkQueue => new WorkQueue(limits[kind], () => onRefused(kind));
    this.queues = {
      password: queueOf('password'),
      picture: queueOf('picture'),
      upload: queueOf('upload'),
      body: queueOf('body'),
      search: queueOf('search'),
      page: queueOf('page'),
    };
  }

  /** @throws DomainError when the queue is full, or the caller disconnected while queued */
  run<Result>(kind: Work, work: () => Promise<Result>, caller = currentCaller()): Promise<Result> {
    return this.queues[kind].run(work, caller);
  }

  /** Resolves once the caller has a place, which is held until `done` settles. @throws DomainError like `run` */
  enter(kind: Work, done: Promise<unknown>, caller: Caller): Promise<void> {
    return new Promise((resolve, reject) => {
      const work = (): Promise<unknown> => {
        resolve();
        return done;
      };
      this.run(kind, work, caller).catch(reject);
    });
  }
}

class WorkQueue {
  private readonly limit: LimitFunction;
  private readonly places: number;
  /** Running and queued calls. */
  private taken = 0;
  private readonly clients = new Map<ClientKey, LimitFunction>();

  constructor(
    private readonly bounds: WorkLimit,
    private readonly onRefused: () => void,
  ) {
    this.limit = pLimit(bounds.concurrency);
    this.places = bounds.concurrency + bounds.queueLength;
  }

  async run<Result>(work: () => Promise<Result>, caller: Caller | undefined): Promise<Result> {
    if (this.taken >= this.places) throw this.rejectFull();
    const run = (): Promise<Result> =>
      this.limit(() => {
        if (caller?.isDisconnected?.()) throw this.refusal();
        return work();
      });
    this.taken += 1;
    try {
      return await (caller ? this.ofClient(clientKey(caller.address), run) : run());
    } finally {
      this.taken -= 1;
    }
  }

  /** Queues per client, so that one client's calls do not delay others. */
  private async ofClient<Result>(client: ClientKey, run: () => Promise<Result>): Promise<Result> {
    const own = this.clients.get(client) ?? pLimit(Math.ceil(this.bounds.concurrency / 2));
    if (own.activeCount + own.pendingCount >= this.places / 2) throw this.rejectFull();
    this.clients.set(client, own);
    try {
      return await own(run);
    } finally {
      if (own.activeCount + own.pendingCount === 0) this.clients.delete(client);
    }
  }

  private rejectFull(): DomainError {
    this.onRefused();
    return this.refusal();
  }

  private refusal(): DomainError {
    return new DomainError(this.bounds.refusal ?? 'TOO_MANY_REQUESTS', { seconds: RETRY_AFTER_SECONDS });
  }
}
