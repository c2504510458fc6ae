import { type EventStore, type Position, type RecordedEvent, weightOfEvent } from '@nimo/event-store';
import { BackOff, pause } from '../scheduling.js';

/** Positions compare as plain strings; the beginning of the log is before all of them. */
export const BEGINNING: Position = '';

const KEPT_EVENTS = 8_192;
const KEPT_BYTES = 32 * 2 ** 20;
/** Of what is handed out at once. */
const READ_BYTES = 8 * 2 ** 20;
/** Of what is taken in at once. */
const BATCH = 250;
const FIRST_REST_MS = 50;
const MAX_REST_MS = 2_000;

/** What is kept; twice as much for a moment. */
export interface TailCapacity {
  readonly events: number;
  readonly bytes: number;
}

export interface SharedTailOptions {
  readonly store: EventStore;
  readonly onError: (error: unknown) => void;
  readonly onEvents?: (events: readonly RecordedEvent[]) => void;
  /** The log ends before what was read of it: it is another one. */
  readonly onReplaced?: () => void;
  readonly capacity?: TailCapacity;
  /** How long it may be before the log is looked at again: nothing where somebody waits for what comes. */
  readonly gatherMs?: () => number;
}

/**
 * The newest events, read and decoded once for all projections of a process. Who is further behind than it reaches reads
 * the store.
 */
export class SharedTail {
  readonly #store: EventStore;
  readonly #capacity: TailCapacity;
  readonly #onError: (error: unknown) => void;
  readonly #onEvents: (events: readonly RecordedEvent[]) => void;
  readonly #onReplaced: () => void;
  readonly #gatherMs: () => number;
  readonly #stopped = new AbortController();
  #events: RecordedEvent[] = [];
  /** Of the events, one by one and together. */
  #weights: number[] = [];
  #bytes = 0;
  /** All events after this position and up to the head are in memory. */
  #base: Position | undefined;
  #head: Position = BEGINNING;
  #waiting: (() => void)[] = [];
  #resting = new AbortController();
  #filling: Promise<void> | undefined;

  constructor({ store, onError, onEvents, onReplaced, capacity, gatherMs }: SharedTailOptions) {
    this.#store = store;
    this.#onError = onError;
    this.#onEvents = onEvents ?? (() => undefined);
    this.#onReplaced = onReplaced ?? (() => undefined);
    this.#gatherMs = gatherMs ?? (() => 0);
    this.#capacity = capacity ?? { events: KEPT_EVENTS, bytes: KEPT_BYTES };
  }

  /** From the present head on; where the log is away, from what is its head when it is back. */
  async start(): Promise<void> {
    this.#resting = new AbortController();
    await this.#begin().catch(this.#onError);
    this.#filling = this.#fill(AbortSignal.any([this.#stopped.signal, this.#resting.signal]));
  }

  /** Reads nothing any more and keeps nothing, until it is started again. */
  async rest(): Promise<void> {
    this.#resting.abort();
    await this.#filling;
    this.#filling = undefined;
    this.#empty();
    this.#base = undefined;
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#wake();
    await this.#filling;
  }

  get isFollowing(): boolean {
    return this.#filling !== undefined;
  }

  /** Undefined where the tail does not reach back to that position; empty where nothing came after it. */
  read(after: Position, limit: number): readonly RecordedEvent[] | undefined {
    if (this.#base === undefined || after < this.#base) return undefined;
    const start = this.#indexAfter(after);
    let end = start;
    // One at least, however heavy.
    for (let bytes = 0; end < start + limit && bytes < READ_BYTES && end < this.#events.length; end += 1)
      bytes += this.#weights[end] ?? 0;
    return this.#events.slice(start, end);
  }

  get isStopped(): boolean {
    return this.#stopped.signal.aborted;
  }

  /** Resolves when there is something after the position, or when the signal aborts or the tail stops. */
  async beyond(position: Position, signal: AbortSignal): Promise<void> {
    while (this.#head <= position && !signal.aborted && !this.#stopped.signal.aborted) {
      await new Promise<void>((resolve) => {
        const finish = (): void => {
          signal.removeEventListener('abort', finish);
          resolve();
        };
        signal.addEventListener('abort', finish, { once: true });
        this.#waiting.push(finish);
      });
    }
  }

  async #begin(): Promise<void> {
    this.#base = this.#head = (await this.#store.head()) ?? BEGINNING;
    this.#wake();
  }

  async #fill(signal: AbortSignal): Promise<void> {
    const backOff = new BackOff(FIRST_REST_MS, MAX_REST_MS);
    while (!signal.aborted) {
      try {
        if (this.#base === undefined) await this.#begin();
        const after = this.#head === BEGINNING ? {} : { after: this.#head };
        for await (const batch of this.#store.subscribe({ ...after, batchSize: BATCH, signal })) {
          this.#append(batch);
          backOff.reset();
          const gatherMs = this.#gatherMs();
          if (gatherMs > 0) await pause(gatherMs, signal);
        }
      } catch (error) {
        this.#onError(error);
      }
      await this.#lookBack(signal).catch(this.#onError);
      // A subscription may end without an error as well: when its store is closed.
      await backOff.rest(signal);
    }
  }

  /** A log that ends before what was read of it is another one: from its end on. Whoever was further has to notice by itself. */
  async #lookBack(signal: AbortSignal): Promise<void> {
    if (signal.aborted || this.#base === undefined || !(await endsBefore(this.#store, this.#head))) return;
    this.#empty();
    await this.#begin();
    this.#onReplaced();
  }

  #empty(): void {
    this.#events = [];
    this.#weights = [];
    this.#bytes = 0;
  }

  #append(batch: readonly RecordedEvent[]): void {
    for (const event of batch) {
      const weight = weightOfEvent(event);
      this.#events.push(event);
      this.#weights.push(weight);
      this.#bytes += weight;
    }
    this.#head = batch.at(-1)?.position ?? this.#head;
    // Cut in halves, so that the cost of moving what stays is spread over many events.
    const { events, bytes } = this.#capacity;
    if (this.#events.length > 2 * events || this.#bytes > 2 * bytes) this.#forget();
    this.#wake();
    this.#onEvents(batch);
  }

  #forget(): void {
    const { events, bytes } = this.#capacity;
    let count = 0;
    while (this.#events.length - count > events || (this.#bytes > bytes && count < this.#events.length)) {
      this.#bytes -= this.#weights[count] ?? 0;
      count += 1;
    }
    this.#weights.splice(0, count);
    this.#base = this.#events.splice(0, count).at(-1)?.position ?? this.#base;
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }

  #indexAfter(position: Position): number {
    let low = 0;
    let high = this.#events.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const event = this.#events[middle];
      if (event !== undefined && event.position <= position) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/**
 * The log ends before what was read of it: it was brought back from an older copy than the read side. What is appended now lies before the
 * checkpoint and would never be folded.
 */
export class LogEndsBeforeError extends Error {
  override readonly name = 'LogEndsBeforeError';
  constructor(projection: string, ordinal: number) {
    super(
      `${projection} is ahead of the log: it has read ${ordinal} events, and the log ends before the last of them. ` +
        'Bring back the log and the database from copies of one time, or rebuild the projection from the log that there is.',
    );
  }
}

/** Whether the log has nothing at the place or after it. Asks the store, so not for every batch. */
export async function endsBefore(store: Pick<EventStore, 'head'>, place: Position | null): Promise<boolean> {
  if (place === null) return false;
  const head = await store.head();
  return head === undefined || head < place;
}
