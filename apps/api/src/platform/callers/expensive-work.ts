import { DomainError, type DomainErrorCode } from '@nimo/domain';
import pLimit, { type LimitFunction } from 'p-limit';
import { type Caller, currentCaller, clientKey, type ClientKey } from './client-address.js';

export interface WorkLimit {
  readonly atOnce: number;
  /** Callers beyond this are refused. */
  readonly waiting: number;
  /** `TOO_MANY_REQUESTS` unless given. */
  readonly refusal?: DomainErrorCode;
}

export type Work = 'password' | 'picture' | 'upload' | 'body' | 'search' | 'page';

export const WORK_LIMITS: Readonly<Record<Work, WorkLimit>> = {
  /** Hashing. One of libuv's four threads stays free for files and DNS. */
  password: { atOnce: 3, waiting: 400 },
  /** Decoding and scaling. */
  picture: { atOnce: 2, waiting: 200 },
  /** Uploads, each up to 10 MB in memory from its first byte to its answer. */
  upload: { atOnce: 12, waiting: 200, refusal: 'UPLOADS_BUSY' },
  /** Other bodies above 16 kB, each up to 512 kB. They arrive in no time unless somebody holds them back. */
  body: { atOnce: 64, waiting: 0 },
  search: { atOnce: 8, waiting: 400 },
  /** Reading a public page; it is written as soon as it is read. */
  page: { atOnce: 4, waiting: 400 },
};

const RETRY_AFTER_SECONDS = 5;

/**
 * Bounds work that takes much of the processor or of memory: of each kind, a few calls run at once and a few hundred wait, first come, first
 * served. One client runs at most half of the calls at once, and takes at most half of the places.
 */
export class ExpensiveWork {
  private readonly lanes: Readonly<Record<Work, Lane>>;

  /** @param onRefused told of each call that is refused for lack of room */
  constructor(
    limits: Readonly<Record<Work, WorkLimit>> = WORK_LIMITS,
    onRefused: (kind: Work) => void = () => undefined,
  ) {
    const laneOf = (kind: Work): Lane => new Lane(limits[kind], () => onRefused(kind));
    this.lanes = {
      password: laneOf('password'),
      picture: laneOf('picture'),
      upload: laneOf('upload'),
      body: laneOf('body'),
      search: laneOf('search'),
      page: laneOf('page'),
    };
  }

  /** @throws DomainError where too many wait already, or the caller left before its turn */
  run<Result>(kind: Work, work: () => Promise<Result>, caller = currentCaller()): Promise<Result> {
    return this.lanes[kind].run(work, caller);
  }

  /** Resolves when the caller has a place, and holds it until `over` settles. @throws DomainError as `run` does */
  enter(kind: Work, over: Promise<unknown>, caller: Caller): Promise<void> {
    return new Promise((resolve, reject) => {
      const work = (): Promise<unknown> => {
        resolve();
        return over;
      };
      this.run(kind, work, caller).catch(reject);
    });
  }
}

class Lane {
  private readonly limit: LimitFunction;
  private readonly places: number;
  /** By calls that run or wait. */
  private taken = 0;
  private readonly clients = new Map<ClientKey, LimitFunction>();

  constructor(
    private readonly bounds: WorkLimit,
    private readonly onRefused: () => void,
  ) {
    this.limit = pLimit(bounds.atOnce);
    this.places = bounds.atOnce + bounds.waiting;
  }

  async run<Result>(work: () => Promise<Result>, caller: Caller | undefined): Promise<Result> {
    if (this.taken >= this.places) throw this.noRoom();
    const run = (): Promise<Result> =>
      this.limit(() => {
        if (caller?.isGone?.()) throw this.refusal();
        return work();
      });
    this.taken += 1;
    try {
      return await (caller ? this.ofClient(clientKey(caller.address), run) : run());
    } finally {
      this.taken -= 1;
    }
  }

  /** What one client waits for does not keep others from their turn. */
  private async ofClient<Result>(client: ClientKey, run: () => Promise<Result>): Promise<Result> {
    const own = this.clients.get(client) ?? pLimit(Math.ceil(this.bounds.atOnce / 2));
    if (own.activeCount + own.pendingCount >= this.places / 2) throw this.noRoom();
    this.clients.set(client, own);
    try {
      return await own(run);
    } finally {
      if (own.activeCount + own.pendingCount === 0) this.clients.delete(client);
    }
  }

  private noRoom(): DomainError {
    this.onRefused();
    return this.refusal();
  }

  private refusal(): DomainError {
    return new DomainError(this.bounds.refusal ?? 'TOO_MANY_REQUESTS', { seconds: RETRY_AFTER_SECONDS });
  }
}
