import { setMaxListeners } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type AllStreamRecordedEvent,
  type AppendResult,
  BACKWARDS,
  type END,
  type EventStoreDBClient,
  excludeSystemEvents,
  type Position as GlobalPosition,
  START,
  streamNameFilter,
  StreamNotFoundError,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import {
  type Append,
  type AppendOutcome,
  type EventStore,
  EventStoreUnavailableError,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  type SubscribeOptions,
} from '../port.js';
import { type PreparedAppend, prepareAppends } from '../prepare-append.js';
import { batchSizeOf, limitOf } from '../read-page.js';
import { AppendClient } from './append-client.js';
import { connect, KEEP_ALIVE, type KeepAlive } from './connect.js';
import {
  batchesOf,
  formatGlobalPosition,
  isProductEvent,
  parseGlobalPosition,
  type DrainableSubscription,
  recordedEventOf,
} from './subscription-batches.js';
import { LogHead, type Page } from './log-head.js';
import { Availability, type AvailabilityListener } from './availability.js';
import { backOff, isTransportError, asPermanentError, retry, type RetryOptions } from './transport-errors.js';

export interface EventStoreDbOptions {
  readonly connectionString: string;
  /** Deadline of a call including retries after transient errors; a leader election takes seconds. Defaults to 10,000 ms. */
  readonly deadlineMs?: number;
  /** Prefixes of the product's stream names; other streams on the server are ignored. Defaults to all streams. */
  readonly streamPrefixes?: readonly string[] | undefined;
  readonly keepAlive?: KeepAlive;
  /** Called when the server becomes unavailable and when it recovers. */
  readonly availabilityListener?: AvailabilityListener | undefined;
}

const DEADLINE_MS = 10_000;
const MAX_PAGE_SIZE = 1_000;
/** How long `close` waits for appends in flight. */
const CLOSE_TIMEOUT_MS = 2_000;
/** The server reports a checkpoint after this many filtered events. */
const SEARCH_WINDOW = 500;

/** The log in an EventStoreDB or KurrentDB cluster. */
export class EventStoreDbEventStore implements EventStore {
  /** Used for reads and subscriptions. */
  private readonly client: EventStoreDBClient;
  private readonly appends: AppendClient;
  private readonly deadlineMs: number;
  private readonly streamPrefixes: readonly string[] | undefined;
  private readonly closing = new AbortController();
  private readonly availability: Availability;
  private readonly retryOptions: RetryOptions;
  /** Number of appends in flight. */
  private inFlight = 0;
  private onIdle: (() => void) | undefined;
  /** Highest known position. New events come after it, so an append at or below it is a duplicate. */
  private highestSeen: Position = '';
  private readonly logHead = new LogHead((from, maxCount) => this.readPage(from, maxCount, BACKWARDS));

  constructor(options: EventStoreDbOptions) {
    const {
      connectionString,
      deadlineMs = DEADLINE_MS,
      keepAlive = KEEP_ALIVE,
      availabilityListener,
    } = options;
    const open = (): EventStoreDBClient => connect(connectionString, keepAlive);
    this.client = open();
    this.appends = new AppendClient(open, deadlineMs);
    this.deadlineMs = deadlineMs;
    this.streamPrefixes = options.streamPrefixes;
    // Every call in flight adds a listener; more than ten are not a leak.
    setMaxListeners(0, this.closing.signal);
    const availability = (this.availability = new Availability(availabilityListener));
    this.retryOptions = {
      timeoutMs: deadlineMs,
      signal: this.closing.signal,
      onFailure: (error) => availability.recordFailure(error),
      onSuccess: () => availability.recordSuccess(),
    };
  }

  async append(appends: readonly Append[]): Promise<AppendOutcome[]> {
    const prepared = prepareAppends(appends);
    this.assertOpen();
    return Promise.all(this.sendAll(appends, prepared));
  }

  /** Sequential within a stream, concurrent across streams. */
  private sendAll(appends: readonly Append[], prepared: readonly PreparedAppend[]): Promise<AppendOutcome>[] {
    const lastOfStream = new Map<string, Promise<AppendOutcome>>();
    return appends.flatMap((append, index) => {
      const preparedAppend = prepared[index];
      // Never undefined: `prepareAppends` returns one element per append.
      if (preparedAppend === undefined) return [];
      const earlier = lastOfStream.get(append.streamId);
      this.inFlight += 1;
      const outcome = earlier
        ? earlier.then(
            () => this.send(append, preparedAppend),
            (error: unknown) => {
              this.onSettled();
              throw error;
            },
          )
        : this.send(append, preparedAppend);
      lastOfStream.set(append.streamId, outcome);
      return [outcome];
    });
  }

  async readStream(streamId: string, options: ReadStreamOptions = {}): Promise<RecordedEvent[]> {
    const { fromRevision = 0 } = options;
    const maxCount = limitOf(options.limit);
    if (maxCount === 0) return [];
    return this.read(async () => {
      const read = this.client.readStream(streamId, {
        fromRevision: BigInt(fromRevision),
        maxCount,
        deadline: this.deadlineMs,
        requiresLeader: true,
      });
      const events: RecordedEvent[] = [];
      try {
        for await (const { event } of read) if (event) events.push(recordedEventOf(event));
      } catch (error) {
        if (!(error instanceof StreamNotFoundError)) throw error;
      }
      return events;
    });
  }

  async readStreams(
    streamIds: readonly string[],
    from?: ReadonlyMap<string, number>,
  ): Promise<ReadonlyMap<string, RecordedEvent[]>> {
    return new Map(
      await Promise.all(
        [...new Set(streamIds)].map(async (id): Promise<[string, RecordedEvent[]]> => [
          id,
          await this.readStream(id, { fromRevision: from?.get(id) ?? 0 }),
        ]),
      ),
    );
  }

  async readAll({ after, until, limit }: ReadAllOptions): Promise<RecordedEvent[]> {
    const maxEvents = limitOf(limit);
    const events: RecordedEvent[] = [];
    let from = after === undefined ? undefined : parseGlobalPosition(after);
    if (until !== undefined) parseGlobalPosition(until);
    for (let isMore = true; isMore && events.length < maxEvents;) {
      // One more, because a page includes the event at its start position.
      const maxCount = Math.min(maxEvents - events.length, MAX_PAGE_SIZE) + 1;
      const page = await this.readPage(from, maxCount);
      for (const event of page.events) {
        // Consecutive pages overlap by one event.
        const isNew = event.position > (events.at(-1)?.position ?? after ?? '');
        if (isNew && events.length < maxEvents && !isBeyond(event.position, until)) events.push(event);
      }
      isMore = page.count === maxCount && !isBeyond(formatGlobalPosition(page.last ?? ZERO), until);
      from = page.last;
    }
    return events;
  }

  async *subscribe({ after, batchSize, signal }: SubscribeOptions): AsyncGenerator<readonly RecordedEvent[]> {
    const size = batchSizeOf(batchSize);
    const stop = AbortSignal.any([signal, this.closing.signal]);
    let position = after ?? '';
    let failures = 0;
    // A function, because the type checker would narrow the property after the first check.
    const isStopped = (): boolean => stop.aborted;
    while (!isStopped()) {
      const subscription = this.subscribeAfter(position, size, (reached) => {
        if (reached > position) position = reached;
      });
      try {
        for await (const batch of batchesOf(subscription, {
          size,
          confirmMs: this.deadlineMs,
          signal: stop,
        })) {
          failures = 0;
          this.availability.recordSuccess();
          yield batch;
          position = batch.at(-1)?.position ?? position;
        }
      } catch (error) {
        if (!isTransportError(error)) throw error;
        if (!isStopped()) this.availability.recordFailure(error);
      } finally {
        await subscription.unsubscribe().catch(() => undefined);
      }
      if (!isStopped()) await backOff(failures++, stop);
    }
  }

  head(): Promise<Position | undefined> {
    return this.logHead.head();
  }

  async countAfter(after: Position | undefined, atMost: number): Promise<number> {
    let count = 0;
    for (let from = after; count < atMost;) {
      const limit = Math.min(MAX_PAGE_SIZE, atMost - count);
      const page = await this.readAll({ ...(from !== undefined && { after: from }), limit });
      count += page.length;
      from = page.at(-1)?.position;
      if (page.length < limit) break;
    }
    return count;
  }

  async close(): Promise<void> {
    if (this.closing.signal.aborted) return;
    this.closing.abort();
    if (this.inFlight > 0) {
      const idle = new Promise<void>((resolve) => (this.onIdle = resolve));
      await Promise.race([idle, delay(CLOSE_TIMEOUT_MS, undefined, { ref: false })]);
    }
    await this.appends.close();
    await this.client.dispose();
  }

  /** A broken connection rejects every append in flight, written or not; the event ids make retries safe. */
  private async send(append: Append, prepared: PreparedAppend): Promise<AppendOutcome> {
    try {
      let highest = this.highestSeen;
      const result = await retry(() => {
        highest = this.highestSeen;
        return this.appends.send(append, prepared);
      }, this.retryOptions);
      return await this.outcomeOf(append, result, highest);
    } catch (error) {
      if (!(error instanceof WrongExpectedVersionError)) throw asPermanentError(error, prepared.bytes);
      const { actualVersion } = error;
      return {
        kind: 'conflict',
        actualRevision: typeof actualVersion === 'bigint' ? Number(actualVersion) : null,
      };
    } finally {
      this.onSettled();
    }
  }

  private onSettled(): void {
    this.inFlight -= 1;
    if (this.inFlight === 0) this.onIdle?.();
  }

  /** @param onCheckpoint called with the position of a server checkpoint once all events before it have been consumed */
  private subscribeAfter(
    after: Position,
    size: number,
    onCheckpoint: (position: Position) => void,
  ): DrainableSubscription {
    let reached: Position | undefined;
    const prefixes = this.streamPrefixes;
    const window = {
      maxSearchWindow: SEARCH_WINDOW,
      // Must not throw: the client would hang.
      checkpointReached: (_: unknown, position: GlobalPosition) => {
        reached = formatGlobalPosition(position);
      },
    };
    const subscription = this.client.subscribeToAll(
      {
        fromPosition: after === '' ? START : parseGlobalPosition(after),
        filter:
          prefixes === undefined
            ? excludeSystemEvents(window)
            : streamNameFilter({ prefixes: [...prefixes], ...window }),
      },
      { highWaterMark: size },
    );
    const onDrained = (): void => {
      if (reached !== undefined) onCheckpoint(reached);
    };
    return Object.assign(subscription, { onDrained });
  }

  private outcomeOf(
    append: Append,
    { nextExpectedRevision, position }: AppendResult,
    highest: Position,
  ): AppendOutcome | Promise<AppendOutcome> {
    const revision = Number(nextExpectedRevision);
    // Position of the last event, also for duplicates. Servers before 20.10 may omit it.
    return position === undefined
      ? retry(() => this.readOutcome(append.streamId, revision, highest), this.retryOptions)
      : this.appended(formatGlobalPosition(position), revision, highest);
  }

  private async readOutcome(streamId: string, revision: number, highest: Position): Promise<AppendOutcome> {
    const [event] = await this.readStream(streamId, { fromRevision: revision, limit: 1 });
    if (!event) throw new EventStoreUnavailableError('the appended events cannot be read yet');
    return this.appended(event.position, revision, highest);
  }

  private appended(position: Position, revision: number, highest: Position): AppendOutcome {
    this.observe(position);
    return { kind: 'appended', position, revision, duplicate: position <= highest };
  }

  private async readPage(
    from: GlobalPosition | typeof END | undefined,
    maxCount: number,
    direction?: typeof BACKWARDS,
  ): Promise<Page> {
    return this.read(async () => {
      const read = this.client.readAll({
        fromPosition: from ?? START,
        maxCount,
        deadline: this.deadlineMs,
        requiresLeader: true,
        ...(direction ? { direction } : {}),
      });
      const events: RecordedEvent[] = [];
      let count = 0;
      let first: GlobalPosition | undefined;
      let last: GlobalPosition | undefined;
      for await (const { event } of read) {
        count++;
        first ??= event?.position;
        if (event?.position) last = event.position;
        if (event && this.isOwn(event)) events.push(recordedEventOf(event));
      }
      return { events, count, first, last };
    });
  }

  /** Retries transient errors until the deadline. Rejects immediately when the store is closed. */
  private async read<T>(read: () => Promise<T>): Promise<T> {
    this.assertOpen();
    const { signal } = this.closing;
    const result = retry(read, this.retryOptions);
    let abort: (() => void) | undefined;
    const closed = new Promise<never>((_, reject) => {
      abort = () => reject(closedError());
      signal.addEventListener('abort', abort, { once: true });
    });
    try {
      return await Promise.race([result, closed]);
    } finally {
      if (abort) signal.removeEventListener('abort', abort);
    }
  }

  private isOwn(event: AllStreamRecordedEvent): boolean {
    if (!isProductEvent(event)) return false;
    return this.streamPrefixes?.some((prefix) => event.streamId.startsWith(prefix)) ?? true;
  }

  private observe(position: Position): void {
    if (position > this.highestSeen) this.highestSeen = position;
  }

  private assertOpen(): void {
    if (this.closing.signal.aborted) throw closedError();
  }
}

const closedError = (): EventStoreUnavailableError =>
  new EventStoreUnavailableError('the event store is closed');

const ZERO: GlobalPosition = { commit: 0n, prepare: 0n };

const isBeyond = (position: Position, until: Position | undefined): boolean =>
  until !== undefined && position > until;
