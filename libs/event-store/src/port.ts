/** JSON values, the only ones an event may contain. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** Opaque; sorts as a plain string. Stored only in checkpoints and wait tokens, never in rows. */
export type Position = string;

export interface NewEvent {
  /** UUID. Events with the same ids at the same revision are written once, however often they are sent. */
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
}

export interface RecordedEvent extends NewEvent {
  readonly streamId: string;
  /** Zero-based and gapless within the stream. */
  readonly revision: number;
  readonly position: Position;
  /** Why the event could not be decoded. Set only when reading the whole log; the event is then in its stored form. */
  readonly undecodable?: string;
}

/** Optimistic concurrency check: none, no event in the stream yet, or the revision of its last event. */
export type ExpectedRevision = 'any' | 'no-stream' | number;

export interface Append {
  readonly streamId: string;
  readonly expectedRevision: ExpectedRevision;
  /** At least one. Written atomically, in order and contiguously. */
  readonly events: readonly NewEvent[];
}

export type AppendOutcome =
  | {
      readonly kind: 'appended';
      /** Position and revision of the last event of this append. */
      readonly position: Position;
      readonly revision: number;
      /** The store already had these event ids and wrote nothing. */
      readonly duplicate: boolean;
    }
  | {
      readonly kind: 'conflict';
      /** Revision of the stream's last event; null for an empty stream. */
      readonly actualRevision: number | null;
    };

export interface ReadStreamOptions {
  /** First revision to return. Defaults to 0. */
  readonly fromRevision?: number;
  readonly limit?: number;
}

export interface ReadAllOptions {
  /** Exclusive. Defaults to the beginning. */
  readonly after?: Position;
  /** Inclusive. */
  readonly until?: Position;
  readonly limit: number;
}

export interface SubscribeOptions {
  /** Exclusive. Defaults to the beginning. */
  readonly after?: Position;
  /** Maximum number of events in a batch. */
  readonly batchSize?: number;
  readonly signal: AbortSignal;
}

/** State of a stream at one of its revisions. A cache: it can be dropped at any time. */
export interface StreamSnapshot {
  readonly streamId: string;
  /** Shape of the fold that produced it. */
  readonly shape: string;
  readonly revision: number;
  /** Id of the event at that revision. A log restored from an older backup has another event there, or none. */
  readonly eventId: string;
  readonly state: JsonObject;
  /** Id prefixes of the commands behind its most recent events. */
  readonly commands: string;
}

export interface SnapshotStreams {
  /** Events by stream, starting at the revision of the snapshot if there is one. */
  readonly streams: ReadonlyMap<string, RecordedEvent[]>;
  readonly snapshots: readonly StreamSnapshot[];
}

/** Conversion between positions and ordinals, which count the events of the log from 1. */
export interface NumberedPositions {
  ordinalOf(position: Position): number;
  positionOf(ordinal: number): Position;
}

/** An append-only log of events in streams, with one global order. */
export interface EventStore {
  /**
   * Appends each element independently: a conflict does not affect the others. Outcomes are in the order of `appends`.
   * @throws EventStoreUnavailableError if it is unknown whether anything was written; send the same events again
   * @throws InvalidAppendError for an append without events, an id that is not a UUID, or a repeated event id
   */
  append(appends: readonly Append[]): Promise<AppendOutcome[]>;

  /** Events of one stream in revision order; empty if the stream does not exist. */
  readStream(streamId: string, options?: ReadStreamOptions): Promise<RecordedEvent[]>;

  /**
   * Reads several streams, in one round trip if the store supports it. Every requested id is a key of the result.
   * @param from first revision by stream id. Defaults to 0
   */
  readStreams(
    streamIds: readonly string[],
    from?: ReadonlyMap<string, number>,
  ): Promise<ReadonlyMap<string, RecordedEvent[]>>;

  /**
   * Reads streams and their snapshots in one round trip. Only available if the snapshots are in the log's database.
   * @param shapes snapshot shape the reader understands, by stream id; undefined reads the stream in full
   */
  readonly readFromSnapshots?: (shapes: ReadonlyMap<string, string | undefined>) => Promise<SnapshotStreams>;

  /** Product events of all streams, in log order. */
  readAll(options: ReadAllOptions): Promise<RecordedEvent[]>;

  /**
   * Every product event after a position, once and in log order, then new ones as they arrive, until the signal aborts.
   * Batches are never empty. Reconnects automatically.
   */
  subscribe(options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]>;

  /** Only available if the store numbers its events without gaps; `LogOrdinals` counts them otherwise. */
  readonly positions?: NumberedPositions;

  /** Position of the last product event; undefined for an empty log. */
  head(): Promise<Position | undefined>;

  /** Number of product events after a position, up to `atMost`: a store that does not number events has to read them. */
  countAfter(after: Position | undefined, atMost: number): Promise<number>;

  close(): Promise<void>;
}

/** Translates between domain events and stored events (encrypted personal data, upcasting). */
export interface EventCodec {
  encode(events: readonly NewEvent[]): Promise<NewEvent[]>;
  /**
   * May decrypt lazily, when a value is read.
   * @throws UndecodableEventError for an event it can never decode
   */
  decode(events: readonly RecordedEvent[]): Promise<RecordedEvent[]>;
}

/** Permanent: this version of the code cannot decode the event. */
export class UndecodableEventError extends Error {
  override readonly name = 'UndecodableEventError';
}

export class EventStoreUnavailableError extends Error {
  override readonly name = 'EventStoreUnavailableError';
}

export class InvalidAppendError extends Error {
  override readonly name = 'InvalidAppendError';
}
