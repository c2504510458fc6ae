import { type EventStore, type Position, type RecordedEvent, weightOfEvent } from '@nimo/event-store';
import { BackOff, pause } from '../scheduling.js';
import { BEGINNING, indexAfter } from '../rebuild/projected-batch.js';

const KEPT_EVENTS = 8_192;
const KEPT_BYTES = 32 * 2 ** 20;
/** Limit of one read. */
const READ_BYTES = 8 * 2 ** 20;
/** Events per batch of the subscription. */
const BATCH = 250;
const FIRST_REST_MS = 50;
const MAX_REST_MS = 2_000;

/** What is kept in memory; twice as much for a moment. */
export interface LogHeadCapacity {
  readonly events: number;
  readonly bytes: number;
}

export interface LogHeadOptions {
  readonly store: EventStore;
  readonly onError: (error: unknown) => void;
  readonly onEvents?: (events: readonly RecordedEvent[]) => void;
  /** The log ends before what was read of it: it is another one. */
  readonly onReplaced?: () => void;
  readonly capacity?: LogHeadCapacity;
  /** How long it may be before the log is looked at again: nothing where somebody waits for what comes. */
  readonly gatherMs?: () => number;
}

/**
 * The newest events, read and decoded once for all projections of a process. A projection further behind than it reaches reads the store.
 */
export class LogHead {
  private readonly options: LogHeadOptions;
  private readonly capacity: LogHeadCapacity;
  private readonly stopped = new AbortController();
  private events: RecordedEvent[] = [];
  /** Of the events, one by one and together. */
  private weights: number[] = [];
  private bytes = 0;
  /** All events after this position and up to the head are in memory. */
  private base: Position | undefined;
  private head: Position = BEGINNING;
  private waiting: (() => void)[] = [];
  private resting = new AbortController();
  private filling: Promise<void> | undefined;

  constructor(options: LogHeadOptions) {
    this.options = options;
    this.capacity = options.capacity ?? { events: KEPT_EVENTS, bytes: KEPT_BYTES };
  }

  /** From the present head on; while the log is unavailable, from its head when it is back. */
  async start(): Promise<void> {
    this.resting = new AbortController();
    await this.begin().catch(this.options.onError);
    this.filling = this.fill(AbortSignal.any([this.stopped.signal, this.resting.signal]));
  }

  /** Reads nothing any more and keeps nothing, until it is started again. */
  async rest(): Promise<void> {
    this.resting.abort();
    await this.filling;
    this.filling = undefined;
    this.empty();
    this.base = undefined;
  }

  async stop(): Promise<void> {
    this.stopped.abort();
    this.wake();
    await this.filling;
  }

  get isFollowing(): boolean {
    return this.filling !== undefined;
  }

  /** Undefined where memory does not reach back to that position; empty where nothing came after it. */
  read(after: Position, limit: number): readonly RecordedEvent[] | undefined {
    if (this.base === undefined || after < this.base) return undefined;
    const start = indexAfter(this.events, after);
    let end = start;
    // One at least, however heavy.
    for (let bytes = 0; end < start + limit && bytes < READ_BYTES && end < this.events.length; end += 1)
      bytes += this.weights[end] ?? 0;
    return this.events.slice(start, end);
  }

  get isStopped(): boolean {
    return this.stopped.signal.aborted;
  }

  /** Resolves when there is something after the position, or when the signal aborts or this stops. */
  async beyond(position: Position, signal: AbortSignal): Promise<void> {
    while (this.head <= position && !signal.aborted && !this.stopped.signal.aborted) {
      await new Promise<void>((resolve) => {
        const finish = (): void => {
          signal.removeEventListener('abort', finish);
          resolve();
        };
        signal.addEventListener('abort', finish, { once: true });
        this.waiting.push(finish);
      });
    }
  }

  private async begin(): Promise<void> {
    this.base = this.head = (await this.options.store.head()) ?? BEGINNING;
    this.wake();
  }

  private async fill(signal: AbortSignal): Promise<void> {
    const backOff = new BackOff(FIRST_REST_MS, MAX_REST_MS);
    while (!signal.aborted) {
      try {
        if (this.base === undefined) await this.begin();
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
      await this.lookBack(signal).catch(this.options.onError);
      // A subscription may end without an error as well: when its store is closed.
      await backOff.rest(signal);
    }
  }

  /** A log that ends before what was read of it is another one: starts again from its end. */
  private async lookBack(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.base === undefined || !(await endsBefore(this.options.store, this.head)))
      return;
    this.empty();
    await this.begin();
    this.options.onReplaced?.();
  }

  private empty(): void {
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
    // Cut in halves, so that the cost of moving what stays is spread over many events.
    const { events, bytes } = this.capacity;
    if (this.events.length > 2 * events || this.bytes > 2 * bytes) this.forget();
    this.wake();
    this.options.onEvents?.(batch);
  }

  private forget(): void {
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
    const waiting = this.waiting;
    this.waiting = [];
    for (const resume of waiting) resume();
  }
}

/** The log was restored from an older copy than the read side: what is appended now lies before the checkpoint and would never be folded. */
export class LogEndsBeforeError extends Error {
  override readonly name = 'LogEndsBeforeError';
  constructor(projection: string, ordinal: number) {
    super(
      `${projection} is ahead of the log: it has read ${ordinal} events, and the log ends before the last of them. ` +
        'Bring back the log and the database from copies of one time, or rebuild the projection from the log that there is.',
    );
  }
}

/** Whether the log has nothing at the position or after it. Asks the store, so not for every batch. */
export async function endsBefore(
  store: Pick<EventStore, 'head'>,
  position: Position | null,
): Promise<boolean> {
  if (position === null) return false;
  const head = await store.head();
  return head === undefined || head < position;
}
