import type pg from 'pg';
import { asStoreError, openPool, PIPELINED } from './connections.js';
import {
  type Append,
  type AppendOutcome,
  type EventStore,
  EventStoreUnavailableError,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  type SnapshotStreams,
  type SubscribeOptions,
} from '../port.js';
import { formatPosition, NUMERIC_POSITIONS, parsePosition } from '../numeric-position.js';
import { type PreparedAppend, prepareAppends } from '../prepare-append.js';
import { batchSizeOf, limitOf } from '../read-page.js';
import { appendQuery, AppendQueue, type OutcomeRow, outcomesOf } from './appending.js';
import { AppendNotifier, LogListener } from './append-notifications.js';
import {
  eventOf,
  readAllQuery,
  readFromSnapshotsQuery,
  readStreamQuery,
  readStreamsQuery,
  type SnapshotRow,
  snapshotStreamsOf,
} from './event-queries.js';
import { LogTail } from './log-tail.js';

export interface PostgresEventStoreOptions {
  /** `close` does not end a pool passed as an object. */
  readonly pool: pg.Pool | string;
  /** Bypasses any pooler, which LISTEN does not work through. */
  readonly directUrl: string;
  /** A table with the columns of `StreamSnapshot` in snake_case, read together with the streams. */
  readonly snapshotTable?: string;
  /** Prefix of the names of its own connections in pg_stat_activity. */
  readonly name?: string;
  /** Poll interval of subscribers, for notifications that get lost. Defaults to 500 ms. */
  readonly pollIntervalMs?: number;
  /** After this time, the outcome of an append is unknown. Defaults to 15,000 ms. */
  readonly appendTimeoutMs?: number;
}

const POLL_INTERVAL_MS = 500;
const APPEND_TIMEOUT_MS = 15_000;
const RETRY_DELAY_MS = 100;

/** The log in the schema `log` of a PostgreSQL database (see schema.ts for its ordering). */
export class PostgresEventStore implements EventStore {
  private readonly pool: pg.Pool;
  private readonly ownsPool: boolean;
  private readonly listener: LogListener;
  private readonly tail: LogTail;
  private readonly appendTimeoutMs: number;
  private readonly queue = new AppendQueue((group) => this.appendGroup(group));
  private readonly notifier = new AppendNotifier();
  private readonly closing = new AbortController();
  readonly positions = NUMERIC_POSITIONS;
  readonly readFromSnapshots?: NonNullable<EventStore['readFromSnapshots']>;

  constructor(options: PostgresEventStoreOptions) {
    this.ownsPool = typeof options.pool === 'string';
    this.pool =
      typeof options.pool === 'string' ? openPool(poolOf(options.pool, options.name)) : options.pool;
    this.tail = new LogTail(
      (after, limit) => this.tryRead(after, limit),
      options.pollIntervalMs ?? POLL_INTERVAL_MS,
    );
    this.listener = new LogListener(options.directUrl, this.tail, options.name);
    this.appendTimeoutMs = options.appendTimeoutMs ?? APPEND_TIMEOUT_MS;
    const { snapshotTable } = options;
    if (snapshotTable !== undefined)
      this.readFromSnapshots = (shapes) => this.readWithSnapshots(shapes, snapshotTable);
  }

  async append(appends: readonly Append[]): Promise<AppendOutcome[]> {
    const prepared = prepareAppends(appends);
    this.assertOpen();
    return this.queue.push(prepared);
  }

  async readStream(streamId: string, options: ReadStreamOptions = {}): Promise<RecordedEvent[]> {
    return this.read(readStreamQuery(streamId, options.fromRevision ?? 0, limitOf(options.limit)));
  }

  private async readWithSnapshots(
    shapes: ReadonlyMap<string, string | undefined>,
    table: string,
  ): Promise<SnapshotStreams> {
    this.assertOpen();
    return snapshotStreamsOf(
      [...shapes.keys()],
      await this.query<SnapshotRow>(readFromSnapshotsQuery(shapes, table)),
    );
  }

  async readStreams(
    streamIds: readonly string[],
    from?: ReadonlyMap<string, number>,
  ): Promise<ReadonlyMap<string, RecordedEvent[]>> {
    const streams = new Map(streamIds.map((streamId): [string, RecordedEvent[]] => [streamId, []]));
    if (streams.size === 0) return streams;
    for (const event of await this.read(readStreamsQuery([...streams.keys()], from))) {
      streams.get(event.streamId)?.push(event);
    }
    return streams;
  }

  async readAll({ after, until, limit }: ReadAllOptions): Promise<RecordedEvent[]> {
    const from = after === undefined ? 0 : parsePosition(after);
    const to = until === undefined ? Number.MAX_SAFE_INTEGER : parsePosition(until);
    return this.read(readAllQuery(from, to, limitOf(limit)));
  }

  async *subscribe({ after, batchSize, signal }: SubscribeOptions): AsyncGenerator<readonly RecordedEvent[]> {
    let position = after === undefined ? 0 : parsePosition(after);
    const limit = batchSizeOf(batchSize);
    const stop = AbortSignal.any([signal, this.closing.signal]);
    // A function, because the type checker would narrow the property after the first check.
    const isStopped = (): boolean => stop.aborted;
    this.listener.start();
    while (!isStopped()) {
      const since = this.tail.changed.version;
      const batch = await this.tail.next(position, limit);
      if (isStopped()) return;
      const last = batch?.at(-1);
      if (batch !== undefined && last !== undefined) {
        position = parsePosition(last.position);
        yield batch;
      } else {
        const timeoutMs = batch === undefined ? RETRY_DELAY_MS : this.tail.waitMs(position);
        await this.tail.changed.wait({ since, signal: stop, timeoutMs });
      }
    }
  }

  async head(): Promise<Position | undefined> {
    this.assertOpen();
    const [row] = await this.query<[string | null]>({ text: 'select max(position) from log.events' });
    const position = row?.[0];
    return position == null ? undefined : formatPosition(position);
  }

  /** Positions are gapless. */
  async countAfter(after: Position | undefined, atMost: number): Promise<number> {
    const head = await this.head();
    if (head === undefined) return 0;
    const count = parsePosition(head) - (after === undefined ? 0 : parsePosition(after));
    return Math.max(0, Math.min(count, atMost));
  }

  async close(): Promise<void> {
    if (this.closing.signal.aborted) return;
    this.closing.abort();
    await this.queue.idle();
    await this.notifier.idle();
    await this.listener.close();
    if (this.ownsPool) await this.pool.end();
  }

  /** Undefined if the log is unavailable, so that subscriptions survive. */
  private async tryRead(after: number, limit: number): Promise<RecordedEvent[] | undefined> {
    try {
      return await this.read(readAllQuery(after, Number.MAX_SAFE_INTEGER, limit));
    } catch (error) {
      if (error instanceof EventStoreUnavailableError) return undefined;
      throw error;
    }
  }

  private async appendGroup(group: readonly PreparedAppend[]): Promise<AppendOutcome[]> {
    const timeoutMs = this.appendTimeoutMs;
    try {
      const client = await this.pool.connect();
      const appended = client.query<OutcomeRow>({ ...appendQuery(group, timeoutMs), rowMode: 'array' });
      // Duplicates too: their original writer may have ended before it notified.
      this.notifier.notify(client, appended, timeoutMs);
      return outcomesOf((await appended).rows);
    } catch (error) {
      throw asStoreError(error);
    }
  }

  private async read(query: pg.QueryConfig): Promise<RecordedEvent[]> {
    this.assertOpen();
    const rows = await this.query<Parameters<typeof eventOf>[0]>(query);
    return rows.map(eventOf);
  }

  private async query<Row extends unknown[]>(query: pg.QueryConfig): Promise<Row[]> {
    try {
      const { rows } = await this.pool.query<Row>({ ...query, rowMode: 'array' });
      return rows;
    } catch (error) {
      throw asStoreError(error);
    }
  }

  private assertOpen(): void {
    if (this.closing.signal.aborted) throw new EventStoreUnavailableError('the event store is closed');
  }
}

const poolOf = (connectionString: string, name?: string): pg.PoolConfig => ({
  connectionString,
  ...(name !== undefined && { application_name: `${name} log` }),
  max: 8,
  keepAlive: true,
  // An append and its notification are sent together.
  ...PIPELINED,
  connectionTimeoutMillis: 10_000,
});
