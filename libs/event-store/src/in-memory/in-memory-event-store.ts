import {
  type Append,
  type AppendOutcome,
  type EventStore,
  EventStoreUnavailableError,
  type Json,
  type JsonObject,
  type Position,
  type ReadAllOptions,
  type ReadStreamOptions,
  type RecordedEvent,
  type SubscribeOptions,
} from '../port.js';
import { formatPosition, NUMERIC_POSITIONS, parsePosition } from '../numeric-position.js';
import { type PreparedAppend, prepareAppends } from '../prepare-append.js';
import { batchSizeOf, limitOf } from '../read-page.js';
import { WakeSignal } from '../wake-signal.js';

interface Memory {
  readonly log: RecordedEvent[];
  readonly streams: Map<string, RecordedEvent[]>;
  readonly byId: Map<string, RecordedEvent>;
  readonly appended: WakeSignal;
}

/** Keeps the log in memory, with the semantics of the other stores. For tests of the domain and of projections. */
export class InMemoryEventStore implements EventStore {
  readonly positions = NUMERIC_POSITIONS;
  private readonly memory: Memory;
  private readonly closing = new AbortController();

  constructor(memory: Memory = { log: [], streams: new Map(), byId: new Map(), appended: new WakeSignal() }) {
    this.memory = memory;
  }

  /** Another store on the same log, like a second process. */
  connect(): InMemoryEventStore {
    return new InMemoryEventStore(this.memory);
  }

  async append(appends: readonly Append[]): Promise<AppendOutcome[]> {
    const prepared = prepareAppends(appends);
    this.assertOpen();
    const outcomes = prepared.map((append) => this.appendOne(append));
    this.memory.appended.wake();
    return outcomes;
  }

  async readStream(streamId: string, options: ReadStreamOptions = {}): Promise<RecordedEvent[]> {
    this.assertOpen();
    const from = options.fromRevision ?? 0;
    return this.stream(streamId).slice(from, from + limitOf(options.limit));
  }

  async readStreams(
    streamIds: readonly string[],
    from?: ReadonlyMap<string, number>,
  ): Promise<ReadonlyMap<string, RecordedEvent[]>> {
    this.assertOpen();
    return new Map(streamIds.map((id) => [id, this.stream(id).slice(from?.get(id) ?? 0)]));
  }

  async readAll({ after, until, limit }: ReadAllOptions): Promise<RecordedEvent[]> {
    this.assertOpen();
    const start = after === undefined ? 0 : parsePosition(after);
    const end = until === undefined ? this.memory.log.length : parsePosition(until);
    return this.memory.log.slice(start, Math.min(end, start + limitOf(limit)));
  }

  async *subscribe({ after, batchSize, signal }: SubscribeOptions): AsyncGenerator<readonly RecordedEvent[]> {
    let next = after === undefined ? 0 : parsePosition(after);
    const size = batchSizeOf(batchSize);
    const stop = AbortSignal.any([signal, this.closing.signal]);
    while (!stop.aborted) {
      const seen = this.memory.appended.version;
      const batch = this.memory.log.slice(next, next + size);
      if (batch.length > 0) {
        next += batch.length;
        yield batch;
      } else {
        await this.memory.appended.wait({ since: seen, signal: stop });
      }
    }
  }

  async countAfter(after: Position | undefined, atMost: number): Promise<number> {
    this.assertOpen();
    const count = this.memory.log.length - (after === undefined ? 0 : parsePosition(after));
    return Math.max(0, Math.min(count, atMost));
  }

  async head(): Promise<Position | undefined> {
    this.assertOpen();
    return this.memory.log.at(-1)?.position;
  }

  async close(): Promise<void> {
    this.closing.abort();
  }

  private appendOne(append: PreparedAppend): AppendOutcome {
    const stream = this.stream(append.streamId);
    const conflict: AppendOutcome = { kind: 'conflict', actualRevision: stream.at(-1)?.revision ?? null };
    if (append.events.some(({ id }) => this.memory.byId.has(id))) return this.duplicateOf(append) ?? conflict;
    if (!isExpected(append, stream.length - 1)) return conflict;
    for (const { id, type, data, metadata } of append.events) {
      const event: RecordedEvent = Object.freeze({
        id,
        type,
        data: parseFrozen(data),
        metadata: parseFrozen(metadata),
        streamId: append.streamId,
        revision: stream.length,
        position: formatPosition(this.memory.log.length + 1),
      });
      stream.push(event);
      this.memory.log.push(event);
      this.memory.byId.set(id, event);
    }
    this.memory.streams.set(append.streamId, stream);
    return outcomeOf(stream.at(-1), false);
  }

  /** The original outcome if every id is in this stream, in this order and at the expected revision. */
  private duplicateOf(append: PreparedAppend): AppendOutcome | undefined {
    const known = append.events.map(({ id }) => this.memory.byId.get(id));
    const first = known[0];
    const isSame = known.every(
      (event, index) =>
        event?.streamId === append.streamId && event.revision === (first?.revision ?? 0) + index,
    );
    if (first === undefined || !isSame || !isExpected(append, first.revision - 1)) return undefined;
    return outcomeOf(known.at(-1), true);
  }

  private stream(streamId: string): RecordedEvent[] {
    return this.memory.streams.get(streamId) ?? [];
  }

  private assertOpen(): void {
    if (this.closing.signal.aborted) throw new EventStoreUnavailableError('the event store is closed');
  }
}

function isExpected({ expectedRevision }: PreparedAppend, lastRevision: number): boolean {
  if (expectedRevision === 'any') return true;
  return lastRevision === (expectedRevision === 'no-stream' ? -1 : expectedRevision);
}

function outcomeOf(last: RecordedEvent | undefined, duplicate: boolean): AppendOutcome {
  if (last === undefined) throw new RangeError('an append without events has no outcome');
  return { kind: 'appended', position: last.position, revision: last.revision, duplicate };
}

/** Frozen, because readers share the objects. */
function parseFrozen(json: string): JsonObject {
  return JSON.parse(json, (_key, value: Json) => Object.freeze(value)) as JsonObject;
}
