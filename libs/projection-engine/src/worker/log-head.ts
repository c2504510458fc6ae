import { type EventStore, type Position, type RecordedEvent, weightOfEvent } from '@nimo/event-store';
import { BackOff, pause } from '../scheduling.js';
import { BEGINNING, indexAfter } from '../rebuild/projected-batch.js';

const MAX_EVENTS = 8_192;
const MAX_BYTES = 32 * 2 ** 20;
/** Limit of one read. */
const READ_BYTES = 8 * 2 ** 20;
/** Events per batch of the subscription. */
const BATCH = 250;
const FIRST_DELAY_MS = 50;
const MAX_DELAY_MS = 2_000;

/** Events kept in memory; temporarily up to twice as many. */
export interface LogHeadCapacity {
  readonly events: number;
  readonly bytes: number;
}

export interface LogHeadOptions {
  readonly store: EventStore;
  readonly onError: (error: unknown) => void;
  readonly onEvents?: (events: readonly RecordedEvent[]) => void;
  /** Called if the log ends before events that were read, because it was replaced. */
  readonly onReplaced?: () => void;
  readonly capacity?: LogHeadCapacity;
  /** Delay between batches, to gather events; 0 while callers wait. */
  readonly gatherMs?: () => number;
}

/**
 * The newest events in memory, read and decoded once for all projections of a process. A projection further behind reads the store.
 */
export class LogHead {
  private readonly options: LogHeadOptions;
  private readonly capacity: LogHeadCapacity;
  private readonly stopped = new AbortController();
  private events: RecordedEvent[] = [];
  /** Estimated bytes of each event. */
  private weights: number[] = [];
  private bytes = 0;
  /** All events after this position up to the head are in memory. */
  private base: Position | undefined;
  private head: Position = BEGINNING;
  private waiters: (() => void)[] = [];
  private suspended = new AbortController();
  private following: Promise<void> | undefined;

  constructor(options: LogHeadOptions) {
    this.options = options;
    this.capacity = options.capacity ?? { events: MAX_EVENTS, bytes: MAX_BYTES };
  }

  /** Starts at the current head or, if the log is unavailable, at its head once it is back. */
  async start(): Promise<void> {
    this.suspended = new AbortController();
    await this.startAtHead().catch(this.options.onError);
    this.following = this.follow(AbortSignal.any([this.stopped.signal, this.suspended.signal]));
  }

  /** Stops following and frees its memory until the next `start`. */
  async suspend(): Promise<void> {
    this.suspended.abort();
    await this.following;
    this.following = undefined;
    this.clear();
    this.base = undefined;
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    this.wake();
    await this.following;
  }

  get isFollowing(): boolean {
    return this.following !== undefined;
  }

  /** @returns events after the position; undefined if they are no longer in memory */
  read(after: Position, limit: number): readonly RecordedEvent[] | undefined {
    if (this.base === undefined || after < this.base) return undefined;
    const start = indexAfter(this.events, after);
    let end = start;
    // At least one, regardless of its size.
    for (let bytes = 0; end < start + limit && bytes < READ_BYTES && end < this.events.length; end += 1)
      bytes += this.weights[end] ?? 0;
    return this.events.slice(start, end);
  }

  get isStopped(): boolean {
    return this.stopped.signal.aborted;
  }

  /** Resolves once there are events after the position, the signal aborts or the log head stops. */
  async waitPast(position: Position, signal: AbortSignal): Promise<void> {
    while (this.head <= position && !signal.aborted && !this.stopped.signal.aborted) {
      await new Promise<void>((resolve) => {
        const finish = (): void => {
          signal.removeEventListener('abort', finish);
          resolve();
        };
        signal.addEventListener('abort', finish, { once: true });
        this.waiters.push(finish);
      });
    }
  }

  private async startAtHead(): Promise<void> {
    this.base = this.head = (await this.options.store.head()) ?? BEGINNING;
    this.wake();
  }

  private async follow(signal: AbortSignal): Promise<void> {
    const backOff = new BackOff(FIRST_DELAY_MS, MAX_DELAY_MS);
    while (!signal.aborted) {
      try {
        if (this.base === undefined) await this.startAtHead();
        const after = this.head === BEGINNING ? {} : { after: this.head };
        for await (const batch of this.options.store.subscribe({ ...after, batchSize: BATCH, signal })) {
          this.append(batch);
          backOff.reset();
          const gatherMs = this.options.gatherMs?.() ?? 0;
          if (gatherMs > 0) await pause(gatherMs, signal);
        }
      } catch (error) {
        this.options.onError(error);
      }
      await this.detectReplacement(signal).catch(this.options.onError);
      // A subscription also ends without an error, when its store is closed.
      await backOff.wait(signal);
    }
  }

  /** Restarts at the end of the log if it was replaced by one that ends before the head. */
  private async detectReplacement(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.base === undefined || !(await endsBefore(this.options.store, this.head)))
      return;
    this.clear();
    await this.startAtHead();
    this.options.onReplaced?.();
  }

  private clear(): void {
    this.events = [];
    this.weights = [];
    this.bytes = 0;
  }

  private append(batch: readonly RecordedEvent[]): void {
    for (const event of batch) {
      const weight = weightOfEvent(event);
      this.events.push(event);
      this.weights.push(weight);
      this.bytes += weight;
    }
    this.head = batch.at(-1)?.position ?? this.head;
    // Evicts half at a time, to amortize the cost of moving the rest.
    const { events, bytes } = this.capacity;
    if (this.events.length > 2 * events || this.bytes > 2 * bytes) this.evict();
    this.wake();
    this.options.onEvents?.(batch);
  }

  private evict(): void {
    const { events, bytes } = this.capacity;
    let count = 0;
    while (this.events.length - count > events || (this.bytes > bytes && count < this.events.length)) {
      this.bytes -= this.weights[count] ?? 0;
      count += 1;
    }
    this.weights.splice(0, count);
    this.base = this.events.splice(0, count).at(-1)?.position ?? this.base;
  }

  private wake(): void {
    const waiting = this.waiters;
    this.waiters = [];
    for (const resume of waiting) resume();
  }
}

/** The log was restored from an older copy than the read side. New events lie before the checkpoint and would never be folded. */
export class AheadOfLogError extends Error {
  override readonly name = 'AheadOfLogError';
  constructor(projection: string, ordinal: number) {
    super(
      `${projection} is ahead of the log: it has read ${ordinal} events, and the log ends before the last of them. ` +
        'Restore the log and the database from backups of the same time, or rebuild the projection from the current log.',
    );
  }
}

/** Whether the log ends before the position. Queries the store, so do not call it for every batch. */
export async function endsBefore(
  store: Pick<EventStore, 'head'>,
  position: Position | null,
): Promise<boolean> {
  if (position === null) return false;
  const head = await store.head();
  return head === undefined || head < position;
}
