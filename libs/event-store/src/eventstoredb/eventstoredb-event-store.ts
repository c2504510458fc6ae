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
import { batchSizeOf, limitOf } from '../read-within.js';
import { AppendClient } from './append-client.js';
import { connect, KEEP_ALIVE, type KeepAlive } from './connect.js';
import {
  batchesOf,
  formatGlobalPosition,
  isProductEvent,
  parseGlobalPosition,
  type PassingSubscription,
  recordedEventOf,
} from './subscription-batches.js';
import { LogEnd, type Page } from './log-end.js';
import { Reachability, type ReachabilityNews } from './reachability.js';
import { backOff, isTransportError, persist, type Persistence, refusalOf } from './transport-errors.js';

export interface EventStoreDbOptions {
  readonly connectionString: string;
  /** How long one call may take, and how long what fails in passing is tried again: an election takes some seconds. */
  readonly deadlineMs?: number;
  /** What the names of the product's streams begin with; others on the same server are not its own. All are where it is left out. */
  readonly streamPrefixes?: readonly string[] | undefined;
  readonly keepAlive?: KeepAlive;
  /** Told when the server is away and when it is back. */
  readonly news?: ReachabilityNews | undefined;
}

const DEADLINE_MS = 10_000;
const MAX_PAGE_SIZE = 1_000;
/** What appends in flight may take of the end. */
const CLOSES_WITHIN_MS = 2_000;
/** The server reports where it is in the log after this many events that the filter left out. */
const SEARCH_WINDOW = 500;

/** The log in an EventStoreDB or KurrentDB cluster. */
export class EventStoreDbEventStore implements EventStore {
  /** For reads and subscriptions. */
  private readonly client: EventStoreDBClient;
  private readonly appends: AppendClient;
  private readonly deadlineMs: number;
  private readonly streamPrefixes: readonly string[] | undefined;
  private readonly closing = new AbortController();
  private readonly reachability: Reachability;
  private readonly persistence: Persistence;
  /** Appends that are not answered yet. */
  private sending = 0;
  private onQuiet: (() => void) | undefined;
  /** The last position known: a new event lies behind it, so an append answered with it or less was written before. */
  private highest: Position = '';
  private readonly end = new LogEnd((from, maxCount) => this.readPage(from, maxCount, BACKWARDS));

  constructor(options: EventStoreDbOptions) {
    const { connectionString, deadlineMs = DEADLINE_MS, keepAlive = KEEP_ALIVE, news } = options;
    const open = (): EventStoreDBClient => connect(connectionString, keepAlive);
    this.client = open();
    this.appends = new AppendClient(open, deadlineMs);
    this.deadlineMs = deadlineMs;
    this.streamPrefixes = options.streamPrefixes;
    // Each call in flight listens for the end of the store; eleven at once are no leak.
    setMaxListeners(0, this.closing.signal);
    const reachability = (this.reachability = new Reachability(news));
    this.persistence = {
      patienceMs: deadlineMs,
      stop: this.closing.signal,
      onFailed: (error) => reachability.failed(error),
      onAnswered: () => reachability.answered(),
    };
  }

  async append(appends: readonly Append[]): Promise<AppendOutcome[]> {
    const prepared = prepareAppends(appends);
    this.assertOpen();
    return Promise.all(this.sendAll(appends, prepared));
  }

  /** Each behind those before it in its stream, beside all others. */
  private sendAll(appends: readonly Append[], prepared: readonly PreparedAppend[]): Promise<AppendOutcome>[] {
    const lastOfStream = new Map<string, Promise<AppendOutcome>>();
    return appends.flatMap((append, index) => {
      const one = prepared[index];
      // `prepareAppends` answers with one for each.
      if (one === undefined) return [];
      const earlier = lastOfStream.get(append.streamId);
      this.sending += 1;
      const outcome = earlier
        ? earlier.then(
            () => this.send(append, one),
            (error: unknown) => {
              this.settled();
              throw error;
            },
          )
        : this.send(append, one);
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
    const most = limitOf(limit);
    const events: RecordedEvent[] = [];
    let from = after === undefined ? undefined : parseGlobalPosition(after);
    if (until !== undefined) parseGlobalPosition(until);
    for (let isMore = true; isMore && events.length < most;) {
      // One more than wanted, since the page starts with the event at its position.
      const maxCount = Math.min(most - events.length, MAX_PAGE_SIZE) + 1;
      const page = await this.readPage(from, maxCount);
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
    const stop = AbortSignal.any([signal, this.closing.signal]);
    let position = after ?? '';
    let failures = 0;
    // A call, as the type checker takes a property that was read once for unchanging.
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
          this.reachability.answered();
          yield batch;
          position = batch.at(-1)?.position ?? position;
        }
      } catch (error) {
        if (!isTransportError(error)) throw error;
        if (!isStopped()) this.reachability.failed(error);
      } finally {
        await subscription.unsubscribe().catch(() => undefined);
      }
      if (!isStopped()) await backOff(failures++, stop);
    }
  }

  head(): Promise<Position | undefined> {
    return this.end.head();
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
    if (this.sending > 0) {
      const quiet = new Promise<void>((resolve) => (this.onQuiet = resolve));
      await Promise.race([quiet, delay(CLOSES_WITHIN_MS, undefined, { ref: false })]);
    }
    await this.appends.close();
    await this.client.dispose();
  }

  /** One broken connection rejects every append in flight, written or not; the ids make sending again safe. */
  private async send(append: Append, prepared: PreparedAppend): Promise<AppendOutcome> {
    try {
      let highest = this.highest;
      const result = await persist(() => {
        highest = this.highest;
        return this.appends.send(append, prepared);
      }, this.persistence);
      return await this.outcomeOf(append, result, highest);
    } catch (error) {
      if (!(error instanceof WrongExpectedVersionError)) throw refusalOf(error, prepared.bytes);
      const { actualVersion } = error;
      return {
        kind: 'conflict',
        actualRevision: typeof actualVersion === 'bigint' ? Number(actualVersion) : null,
      };
    } finally {
      this.settled();
    }
  }

  private settled(): void {
    this.sending -= 1;
    if (this.sending === 0) this.onQuiet?.();
  }

  /** @param onPassed told of a place up to which the filter left out everything, as soon as all before it was taken */
  private subscribeAfter(
    after: Position,
    size: number,
    onPassed: (place: Position) => void,
  ): PassingSubscription {
    let reached: Position | undefined;
    const prefixes = this.streamPrefixes;
    const window = {
      maxSearchWindow: SEARCH_WINDOW,
      // Nothing in here may throw: the client would wait for it for ever.
      checkpointReached: (_: unknown, place: GlobalPosition) => {
        reached = formatGlobalPosition(place);
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
      if (reached !== undefined) onPassed(reached);
    };
    return Object.assign(subscription, { onDrained });
  }

  private outcomeOf(
    append: Append,
    { nextExpectedRevision, position }: AppendResult,
    highest: Position,
  ): AppendOutcome | Promise<AppendOutcome> {
    const revision = Number(nextExpectedRevision);
    // It is that of the last event, of an append that was known already, too; servers before 20.10 may give none.
    return position === undefined
      ? persist(() => this.readOutcome(append.streamId, revision, highest), this.persistence)
      : this.appended(formatGlobalPosition(position), revision, highest);
  }

  private async readOutcome(streamId: string, revision: number, highest: Position): Promise<AppendOutcome> {
    const [event] = await this.readStream(streamId, { fromRevision: revision, limit: 1 });
    if (!event) throw new EventStoreUnavailableError('what was appended cannot be read yet');
    return this.appended(event.position, revision, highest);
  }

  private appended(position: Position, revision: number, highest: Position): AppendOutcome {
    this.see(position);
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

  /** Reading again is harmless, so a broken connection is hidden as long as it heals soon. Nobody waits for one that was closed. */
  private async read<T>(read: () => Promise<T>): Promise<T> {
    this.assertOpen();
    const { signal } = this.closing;
    const answer = persist(read, this.persistence);
    let refuse: (() => void) | undefined;
    const closed = new Promise<never>((_, reject) => {
      refuse = () => reject(closedError());
      signal.addEventListener('abort', refuse, { once: true });
    });
    try {
      return await Promise.race([answer, closed]);
    } finally {
      if (refuse) signal.removeEventListener('abort', refuse);
    }
  }

  private isOwn(event: AllStreamRecordedEvent): boolean {
    if (!isProductEvent(event)) return false;
    return this.streamPrefixes?.some((prefix) => event.streamId.startsWith(prefix)) ?? true;
  }

  private see(position: Position): void {
    if (position > this.highest) this.highest = position;
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
