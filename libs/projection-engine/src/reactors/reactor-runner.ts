import { type EventStore, kindOfError, type Position, type RecordedEvent } from '@nimo/event-store';
import { randomUUID } from 'node:crypto';
import type { Projected } from '../projection.js';
import type { Pool } from 'pg';
import { EXPIRY, IS_FREE, LEASE_SECONDS } from '../bookkeeping/bookkeeping.js';
import { pause } from '../scheduling.js';

/** An event of any product; each product narrows it to the union of its own events. */
export type ReactorEvent = Omit<Projected, 'ordinal'> & { readonly type: string; readonly data: object };

/** Reacts to events with effects outside the read side, such as jobs and commands. Unlike a projection it is never rebuilt. */
export interface Reactor<E extends ReactorEvent = ReactorEvent> {
  readonly name: string;
  /** Starting point of the first run; defaults to `head`, because past events should rarely have effects. */
  readonly startsAt?: 'head' | 'beginning';
  /** Event types passed to `handle`. */
  readonly types: readonly E['type'][] | 'all';
  /** Called at least once per event, in log order. `jobId` is the event's id, so that repeated jobs can be deduplicated. */
  handle(event: E, jobId: string, signal: AbortSignal): Promise<void>;
}

export interface ReactorRunnerOptions {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly reactors: readonly Reactor[];
  readonly onError: (error: unknown, reactor: string) => void;
  /** Interval of attempts to acquire a lease, and the first delay after a failure. */
  readonly retryMs?: number;
  /** Interval of lease renewals, which also store the position. */
  readonly renewMs?: number;
  /** Whether reactors should run in this process, checked before leases are acquired and renewed. Defaults to true. */
  readonly shouldRun?: () => boolean;
}

const BATCH = 100;
const MAX_DELAY_MS = 30_000;
/** Shorter while a server is unavailable, to resume soon after it is back. */
const MAX_UNAVAILABLE_DELAY_MS = 2_000;
const RENEW_MS = (LEASE_SECONDS * 1000) / 3;

/** Runs each reactor in one process at a time. */
export class ReactorRunner {
  private readonly options: ReactorRunnerOptions;
  private readonly owner = randomUUID();
  private readonly stopping = new AbortController();
  private readonly positioned = new Set<string>();
  private running: Promise<unknown> | undefined;

  constructor(options: ReactorRunnerOptions) {
    this.options = options;
  }

  async start(): Promise<void> {
    for (const reactor of this.options.reactors) {
      try {
        await this.ensurePosition(reactor);
      } catch (error) {
        // The log is unavailable; `keepRunning` tries again.
        this.options.onError(error, reactor.name);
        break;
      }
    }
    this.running = Promise.all(this.options.reactors.map((reactor) => this.keepRunning(reactor)));
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await this.running;
  }

  private async ensurePosition({ name, startsAt = 'head' }: Reactor): Promise<void> {
    if (this.positioned.has(name)) return;
    const { rowCount } = await this.options.pool.query('select from state.reactors where name = $1', [name]);
    if (rowCount === 0) await this.begin(name, startsAt);
    this.positioned.add(name);
  }

  private async begin(name: string, startsAt: 'head' | 'beginning'): Promise<void> {
    const position = startsAt === 'head' ? await this.options.store.head() : undefined;
    await this.options.pool.query(
      'insert into state.reactors (name, position) values ($1, $2) on conflict (name) do nothing',
      [name, position ?? null],
    );
  }

  private async keepRunning(reactor: Reactor): Promise<void> {
    const { signal } = this.stopping;
    while (!signal.aborted) {
      try {
        await this.ensurePosition(reactor);
        const lease = this.shouldRun ? await this.acquire(reactor.name) : undefined;
        if (lease) await this.follow(reactor, lease);
      } catch (error) {
        this.options.onError(error, reactor.name);
      }
      await pause(this.options.retryMs ?? 1000, signal);
    }
  }

  private get shouldRun(): boolean {
    return this.options.shouldRun?.() ?? true;
  }

  private async acquire(name: string): Promise<ReactorLease | undefined> {
    const { rows } = await this.options.pool.query<{ position: Position | null; epoch: string }>(
      `update state.reactors set owner = $2, epoch = epoch + 1, expires_at = ${EXPIRY}
       where name = $1 and ${IS_FREE} returning position, epoch`,
      [name, this.owner],
    );
    return rows[0] && { name, ...rows[0] };
  }

  private async follow(reactor: Reactor, lease: ReactorLease): Promise<void> {
    const lost = new AbortController();
    const signal = AbortSignal.any([this.stopping.signal, lost.signal]);
    let position = lease.position;
    const renew = async (): Promise<void> => {
      if (!this.shouldRun || !(await this.renew(lease, position))) lost.abort();
    };
    const renewal = setInterval(
      () => void renew().catch(() => lost.abort()),
      this.options.renewMs ?? RENEW_MS,
    );
    try {
      const after = position === null ? {} : { after: position };
      for await (const batch of this.options.store.subscribe({ ...after, batchSize: BATCH, signal })) {
        for (const event of batch) {
          if (handles(reactor, event) && !(await this.handle(reactor, event, signal))) return;
          position = event.position;
          if (signal.aborted) return;
        }
        // The position after other events is stored by the next renewal; passing them again after a crash is harmless.
        if (batch.some((event) => handles(reactor, event))) await renew();
      }
    } finally {
      clearInterval(renewal);
      await this.release(lease, position);
    }
  }

  /**
   * Retries a failing effect until it succeeds: events are never skipped.
   * @returns whether it succeeded before the signal aborted
   */
  private async handle(reactor: Reactor, event: RecordedEvent, signal: AbortSignal): Promise<boolean> {
    for (let delayMs = this.options.retryMs ?? 1000; !signal.aborted; delayMs *= 2) {
      try {
        if (event.undecodable !== undefined)
          throw new TypeError(`${event.type} cannot be decoded: ${event.undecodable}`);
        // The store's codec has validated and upcast the event, so its type determines its data.
        await reactor.handle(event, event.id, signal);
        return true;
      } catch (error) {
        // It stopped half-way, and is handled again from its beginning.
        if (isAborted(signal)) return false;
        this.options.onError(error, reactor.name);
        const max = kindOfError(error) === 'away' ? MAX_UNAVAILABLE_DELAY_MS : MAX_DELAY_MS;
        delayMs = Math.min(delayMs, max);
        await pause(delayMs, signal);
      }
    }
    return false;
  }

  /** Does not wait for the disk: a crash that undoes an effect in this database also undoes the later position, so the event is handled again. */
  private async renew({ name, epoch }: ReactorLease, position: Position | null): Promise<boolean> {
    const { rowCount } = await this.options.pool.query(
      `update state.reactors set position = $4, updated_at = clock_timestamp(), expires_at = ${EXPIRY}
       where name = $1 and owner = $2 and epoch = $3 and expires_at > clock_timestamp()
       returning set_config('synchronous_commit', 'off', true)`,
      [name, this.owner, epoch, position],
    );
    return rowCount === 1;
  }

  private async release({ name, epoch }: ReactorLease, position: Position | null): Promise<void> {
    await this.options.pool.query(
      `update state.reactors set position = $4, expires_at = null
       where name = $1 and owner = $2 and epoch = $3 and expires_at > clock_timestamp()`,
      [name, this.owner, epoch, position],
    );
  }
}

/** Read in a function, because the compiler does not expect it to change within a loop. */
const isAborted = ({ aborted }: AbortSignal): boolean => aborted;

const handles = ({ types }: Reactor, { type }: RecordedEvent): boolean =>
  types === 'all' || types.includes(type);

interface ReactorLease {
  readonly name: string;
  readonly position: Position | null;
  readonly epoch: string;
}
