import {
  type AppendResult,
  BACKWARDS,
  END,
  EventStoreDBClient,
  excludeSystemEvents,
  jsonEvent,
  type Position as GlobalPosition,
  START,
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
import { prepareAppends } from '../prepare-append.js';
import { batchSizeOf, limitOf } from '../read-limits.js';
import { formatGlobalPosition, parseGlobalPosition } from './global-position.js';
import { isProductEvent, recordedEventOf } from './product-events.js';
import { batchesOf } from './subscription-batches.js';
import { backOff, isTransportError, unavailable, withDeadline } from './transport-errors.js';

export interface EventStoreDbOptions {
  readonly connectionString: string;
  readonly deadlineMs?: number;
}

const DEADLINE_MS = 10_000;
const MOST_SENDS = 4;
const HEAD_PAGE = 32;
const LARGEST_PAGE = 1_000;
/** The server reports where it is in the log after this many events that the filter left out. */
const SEARCH_WINDOW = 500;

/** The log in an EventStoreDB or KurrentDB cluster. */
export class EventStoreDbEventStore implements EventStore {
  readonly #client: EventStoreDBClient;
  readonly #deadlineMs: number;
  readonly #closing = new AbortController();
  readonly #inFlight = new Set<Promise<unknown>>();
  /** The last position known: a new event lies behind it, so an append answered with it or less was written before. */
  #highest: Position = '';

  constructor({ connectionString, deadlineMs = DEADLINE_MS }: EventStoreDbOptions) {
    this.#client = EventStoreDBClient.connectionString(connectionString);
    this.#deadlineMs = deadlineMs;
  }

  async append(appends: readonly Append[]): Promise<AppendOutcome[]> {
    prepareAppends(appends);
    this.#assertOpen();
    const lastOfStream = new Map<string, Promise<AppendOutcome>>();
    const outcomes = appends.map((append) => {
      const earlier = lastOfStream.get(append.streamId);
      const outcome = (earlier ?? Promise.resolve()).then(() => this.#send(append));
      lastOfStream.set(append.streamId, outcome);
      return outcome;
    });
    const all = Promise.all(outcomes);
    const settled = Promise.allSettled(outcomes);
    this.#inFlight.add(settled);
    void settled.then(() => this.#inFlight.delete(settled));
    return all;
  }

  async readStream(streamId: string, options: ReadStreamOptions = {}): Promise<RecordedEvent[]> {
    const { fromRevision = 0 } = options;
    const maxCount = limitOf(options.limit);
    if (maxCount === 0) return [];
    return this.#read(async () => {
      const read = this.#client.readStream(streamId, {
        fromRevision: BigInt(fromRevision),
        maxCount,
        deadline: this.#deadlineMs,
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

  async readStreams(streamIds: readonly string[]): Promise<ReadonlyMap<string, RecordedEvent[]>> {
    return new Map(
      await Promise.all(
        [...new Set(streamIds)].map(async (id): Promise<[string, RecordedEvent[]]> => [
          id,
          await this.readStream(id),
        ]),
      ),
    );
  }

  async readAll({ after, until, limit }: ReadAllOptions): Promise<RecordedEvent[]> {
    const most = limitOf(limit);
    const events: RecordedEvent[] = [];
    let from = after === undefined ? undefined : parseGlobalPosition(after);
    if (until !== undefined) parseGlobalPosition(until);
    for (let isMore = true; isMore && events.length < most;) {
      // One more than wanted, since the page starts with the event at its position.
      const maxCount = Math.min(most - events.length, LARGEST_PAGE) + 1;
      const page = await this.#readPage(from, maxCount);
      for (const event of page.events) {
        // Pages overlap in the event at their seam.
        const isNew = event.position > (events.at(-1)?.position ?? after ?? '');
        if (isNew && events.length < most && !isBeyond(event.position, until)) events.push(event);
      }
      isMore = page.count === maxCount && !isBeyond(formatGlobalPosition(page.last ?? ZERO), until);
      from = page.last;
    }
    return events;
  }

  async *subscribe({ after, batchSize, signal }: SubscribeOptions): AsyncGenerator<readonly RecordedEvent[]> {
    const size = batchSizeOf(batchSize);
    const stop = AbortSignal.any([signal, this.#closing.signal]);
    let position = after === undefined ? undefined : parseGlobalPosition(after);
    let failures = 0;
    // A call, as the type checker takes a property that was read once for unchanging.
    const isStopped = (): boolean => stop.aborted;
    while (!isStopped()) {
      const subscription = this.#client.subscribeToAll(
        { fromPosition: position ?? START, filter: excludeSystemEvents({ maxSearchWindow: SEARCH_WINDOW }) },
        { highWaterMark: size },
      );
      try {
        for await (const batch of batchesOf(subscription, size, stop)) {
          failures = 0;
          yield batch;
          const last = batch.at(-1);
          if (last) position = parseGlobalPosition(last.position);
        }
      } catch (error) {
        if (!isTransportError(error)) throw error;
      } finally {
        await subscription.unsubscribe().catch(() => undefined);
      }
      if (!isStopped()) await backOff(failures++, stop);
    }
  }

  async head(): Promise<Position | undefined> {
    let from: GlobalPosition | typeof END = END;
    for (;;) {
      const page = await this.#readPage(from, HEAD_PAGE, BACKWARDS);
      const [last] = page.events;
      if (last !== undefined) return last.position;
      if (page.last === undefined || page.count < HEAD_PAGE) return undefined;
      from = page.last;
    }
  }

  async countAfter(after: Position | undefined, atMost: number): Promise<number> {
    let count = 0;
    for (let from = after; count < atMost;) {
      const limit = Math.min(LARGEST_PAGE, atMost - count);
      const page = await this.readAll({ ...(from !== undefined && { after: from }), limit });
      count += page.length;
      from = page.at(-1)?.position;
      if (page.length < limit) break;
    }
    return count;
  }

  async close(): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    await Promise.all(this.#inFlight);
    await this.#client.dispose();
  }

  /** One broken connection rejects every append in flight, written or not; the ids make sending again safe. */
  async #send(append: Append): Promise<AppendOutcome> {
    for (let attempt = 1; ; attempt++) {
      const highest = this.#highest;
      try {
        return await this.#outcomeOf(append, await this.#write(append), highest);
      } catch (error) {
        if (error instanceof WrongExpectedVersionError) {
          const { actualVersion } = error;
          return {
            kind: 'conflict',
            actualRevision: typeof actualVersion === 'bigint' ? Number(actualVersion) : null,
          };
        }
        if (!isTransportError(error)) throw error;
        if (attempt === MOST_SENDS) throw unavailable(error);
        await backOff(attempt);
      }
    }
  }

  #write({ streamId, expectedRevision, events }: Append): Promise<AppendResult> {
    const proposed = events.map(({ id, type, data, metadata }) =>
      jsonEvent({
        id,
        type,
        data,
        metadata,
      }),
    );
    const expected = expectedRevision === 'no-stream' ? 'no_stream' : expectedRevision;
    return withDeadline(
      this.#client.appendToStream(streamId, proposed, {
        expectedRevision: typeof expected === 'number' ? BigInt(expected) : expected,
        deadline: this.#deadlineMs,
      }),
      this.#deadlineMs,
    );
  }

  async #outcomeOf(append: Append, result: AppendResult, highest: Position): Promise<AppendOutcome> {
    const revision = Number(result.nextExpectedRevision);
    // The answer to an append of several events, or to one known already, need not be the position of its last event.
    const isCertain = append.events.length === 1 && result.position !== undefined;
    const position =
      isCertain && result.position
        ? formatGlobalPosition(result.position)
        : (await this.readStream(append.streamId, { fromRevision: revision, limit: 1 }))[0]?.position;
    if (position === undefined) throw new EventStoreUnavailableError('what was appended cannot be read yet');
    this.#see(position);
    return { kind: 'appended', position, revision, duplicate: position <= highest };
  }

  async #readPage(
    from: GlobalPosition | typeof END | undefined,
    maxCount: number,
    direction?: typeof BACKWARDS,
  ): Promise<{ events: RecordedEvent[]; count: number; last: GlobalPosition | undefined }> {
    return this.#read(async () => {
      const read = this.#client.readAll({
        fromPosition: from ?? START,
        maxCount,
        deadline: this.#deadlineMs,
        ...(direction ? { direction } : {}),
      });
      const events: RecordedEvent[] = [];
      let count = 0;
      let last: GlobalPosition | undefined;
      for await (const { event } of read) {
        count++;
        if (event?.position) last = event.position;
        if (event && isProductEvent(event)) events.push(recordedEventOf(event));
      }
      return { events, count, last };
    });
  }

  /** Reading again is harmless, so a broken connection is hidden as long as it heals soon. */
  async #read<T>(read: () => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      this.#assertOpen();
      try {
        return await withDeadline(read(), this.#deadlineMs);
      } catch (error) {
        if (!isTransportError(error)) throw error;
        if (attempt === MOST_SENDS) throw unavailable(error);
        await backOff(attempt);
      }
    }
  }

  #see(position: Position): void {
    if (position > this.#highest) this.#highest = position;
  }

  #assertOpen(): void {
    if (this.#closing.signal.aborted) throw new EventStoreUnavailableError('the event store is closed');
  }
}

const ZERO: GlobalPosition = { commit: 0n, prepare: 0n };

const isBeyond = (position: Position, until: Position | undefined): boolean =>
  until !== undefined && position > until;
