import { type EventStore, kindOfError, type Position, type RecordedEvent } from '@nimo/event-store';
import { randomUUID } from 'node:crypto';
import type { Projected } from '../projection.js';
import type { Pool } from 'pg';
import { EXPIRY, IS_FREE, LEASE_SECONDS } from '../bookkeeping/bookkeeping.js';
import { pause } from '../scheduling.js';

/** An event of whatever product. A product narrows it to the union of its own events. */
export type ReactorEvent = Omit<Projected, 'ordinal'> & { readonly type: string; readonly data: object };

/** Does something outside of the read side because of an event: a job, a command. Not a projection, and never rebuilt. */
export interface Reactor<E extends ReactorEvent = ReactorEvent> {
  readonly name: string;
  /** Where it starts when it has never run. Effects of the past are not wanted as a rule. */
  readonly startsAt?: 'head' | 'beginning';
  /** The events that it handles; it gets to see no others. */
  readonly types: readonly E['type'][] | 'all';
  /** Called at least once an event, in log order. `jobId` is the event's id, so that a job made twice is one job. */
  handle(event: E, jobId: string, signal: AbortSignal): Promise<void>;
}

export interface ReactorRunnerOptions {
  readonly pool: Pool;
  readonly store: EventStore;
  readonly reactors: readonly Reactor[];
  readonly onError: (error: unknown, reactor: string) => void;
  /** How often the lease is applied for, and the first pause after a failure. */
  readonly retryMs?: number;
  /** How often a lease is renewed, with how far its holder is. */
  readonly renewMs?: number;
  /** Whether reactors are to run here; unless given, wherever their leases are free. Asked as often as leases are applied for and renewed. */
  readonly isOnDuty?: () => boolean;
}

const BATCH = 100;
const MAX_PAUSE_MS = 30_000;
/** Where somebody did not answer: once it is back, nobody should wait for long. */
const MAX_PAUSE_AWAY_MS = 2_000;
const RENEW_MS = (LEASE_SECONDS * 1000) / 3;

/** Runs each reactor in one process at a time. */
export class ReactorRunner {
  private readonly options: ReactorRunnerOptions;
  private readonly owner = randomUUID();
  private readonly stopping = new AbortController();
  private readonly placed = new Set<string>();
  private running: Promise<unknown> | undefined;

  constructor(options: ReactorRunnerOptions) {
    this.options = options;
  }

  async start(): Promise<void> {
    for (const reactor of this.options.reactors) {
      try {
        await this.place(reactor);
      } catch (error) {
        // The log is away: each finds its place when it is back.
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

  private async place({ name, startsAt = 'head' }: Reactor): Promise<void> {
    if (this.placed.has(name)) return;
    const { rowCount } = await this.options.pool.query('select from state.reactors where name = $1', [name]);
    if (rowCount === 0) await this.begin(name, startsAt);
    this.placed.add(name);
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
        await this.place(reactor);
        const lease = this.isOnDuty ? await this.acquire(reactor.name) : undefined;
        if (lease) await this.lead(reactor, lease);
      } catch (error) {
        this.options.onError(error, reactor.name);
      }
      await pause(this.options.retryMs ?? 1000, signal);
    }
  }

  private get isOnDuty(): boolean {
    return this.options.isOnDuty?.() ?? true;
  }

  private async acquire(name: string): Promise<ReactorLease | undefined> {
    const { rows } = await this.options.pool.query<{ position: Position | null; epoch: string }>(
      `update state.reactors set owner = $2, epoch = epoch + 1, expires_at = ${EXPIRY}
       where name = $1 and ${IS_FREE} returning position, epoch`,
      [name, this.owner],
    );
    return rows[0] && { name, ...rows[0] };
  }

  private async lead(reactor: Reactor, lease: ReactorLease): Promise<void> {
    const lost = new AbortController();
    const signal = AbortSignal.any([this.stopping.signal, lost.signal]);
    let position = lease.position;
    const keep = async (): Promise<void> => {
      if (!this.isOnDuty || !(await this.keep(lease, position))) lost.abort();
    };
    const renewal = setInterval(
      () => void keep().catch(() => lost.abort()),
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
        // The next renewal stores how far it is past other events: after a crash they are passed again.
        if (batch.some((event) => handles(reactor, event))) await keep();
      }
    } finally {
      clearInterval(renewal);
      await this.release(lease, position);
    }
  }

  /**
   * An effect that fails is tried again, for as long as it takes: to leave it out is nobody's to decide here.
   * @returns whether it was done before the signal aborted
   */
  private async handle(reactor: Reactor, event: RecordedEvent, signal: AbortSignal): Promise<boolean> {
    for (let rest = this.options.retryMs ?? 1000; !signal.aborted; rest *= 2) {
      try {
        if (event.undecodable !== undefined)
          throw new TypeError(`${event.type} cannot be decoded: ${event.undecodable}`);
        // The store's codec checked and lifted the event; from here on its type says what its data is.
        await reactor.handle(event, event.id, signal);
        return true;
      } catch (error) {
        this.options.onError(error, reactor.name);
        const longest = kindOfError(error) === 'away' ? MAX_PAUSE_AWAY_MS : MAX_PAUSE_MS;
        rest = Math.min(rest, longest);
        await pause(rest, signal);
      }
    }
    return false;
  }

  /** Without waiting for the disk: what a crash of the server takes back is handled again, and never what an effect in that database did before. */
  private async keep({ name, epoch }: ReactorLease, position: Position | null): Promise<boolean> {
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

const handles = ({ types }: Reactor, { type }: RecordedEvent): boolean =>
  types === 'all' || types.includes(type);

interface ReactorLease {
  readonly name: string;
  readonly position: Position | null;
  readonly epoch: string;
}
