/** JSON values only: what an event may carry. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
export type JsonObject = { readonly [key: string]: Json };

/** Opaque and sortable (as plain strings compare). Kept only in checkpoints and wait tokens, never in a row. */
export type Position = string;

export interface NewEvent {
  /** UUID. The same ids at the same revision are written once, however often they are sent. */
  readonly id: string;
  readonly type: string;
  readonly data: JsonObject;
  readonly metadata: JsonObject;
}

export interface RecordedEvent extends NewEvent {
  readonly streamId: string;
  /** Zero-based, gapless inside the stream. */
  readonly revision: number;
  readonly position: Position;
  /** Why it could not be decoded, on its way along the whole log: then it is as it was stored. */
  readonly undecodable?: string;
}

/** What the appender believes of the stream: nothing, that it has no event, or the revision of its last event. */
export type ExpectedRevision = 'any' | 'no-stream' | number;

export interface Append {
  readonly streamId: string;
  readonly expectedRevision: ExpectedRevision;
  /** At least one. All are written, in order and without a foreign event between them, or none is. */
  readonly events: readonly NewEvent[];
}

export type AppendOutcome =
  | {
      readonly kind: 'appended';
      /** Position and revision of the last event of this append. */
      readonly position: Position;
      readonly revision: number;
      /** True where the store knew these event ids and wrote nothing. */
      readonly duplicate: boolean;
    }
  | {
      readonly kind: 'conflict';
      /** Revision of the last event that is in the stream, null where it has none. */
      readonly actualRevision: number | null;
    };

export interface ReadStreamOptions {
  /** First revision to return; 0 unless given. */
  readonly fromRevision?: number;
  readonly limit?: number;
}

export interface ReadAllOptions {
  /** Exclusive; from the beginning unless given. */
  readonly after?: Position;
  /** Inclusive upper bound. */
  readonly until?: Position;
  readonly limit: number;
}

export interface SubscribeOptions {
  /** Exclusive; from the beginning unless given. */
  readonly after?: Position;
  /** The most events handed over in one batch. */
  readonly batchSize?: number;
  readonly signal: AbortSignal;
}

/** What a stream came to at one of its revisions. A cache: it says nothing that the stream does not, and may be dropped at any time. */
export interface StreamSnapshot {
  readonly streamId: string;
  /** Of the fold that made it. */
  readonly shape: string;
  readonly revision: number;
  /** Of the event at that revision. A log that was put back to an earlier state has another one there, or none. */
  readonly eventId: string;
  readonly state: JsonObject;
  /** The first characters of the ids of the commands that the latest of its events came from. */
  readonly commands: string;
}

export interface SnapshotStreams {
  /** By stream, as `readStreams` gives them: from the revision of the snapshot on where there is one, otherwise all. */
  readonly streams: ReadonlyMap<string, RecordedEvent[]>;
  readonly kept: readonly StreamSnapshot[];
}

/** An append-only log of events in streams, with one order over all of them. */
export interface EventStore {
  /**
   * Appends each element by itself: one element's conflict does not touch its neighbours. Outcomes are in the order given.
   * @throws EventStoreUnavailableError when it cannot be known whether anything was written; send the same events again.
   * @throws InvalidAppendError for an append without events, an id that is no UUID, or two appends that share an event id.
   */
  append(appends: readonly Append[]): Promise<AppendOutcome[]>;

  /** Events of one stream in revision order; empty where the stream does not exist. */
  readStream(streamId: string, options?: ReadStreamOptions): Promise<RecordedEvent[]>;

  /**
   * Several streams in one round trip where the store can. Every id asked for is a key of the answer.
   * @param from the first revision to return, of those streams that are not read from 0
   */
  readStreams(
    streamIds: readonly string[],
    from?: ReadonlyMap<string, number>,
  ): Promise<ReadonlyMap<string, RecordedEvent[]>>;

  /**
   * Streams with their snapshots in one round trip: where those are kept beside the log, and it was told where.
   * @param shapes of the snapshots that the reader understands, by stream; undefined where a stream is read as a whole
   */
  readonly readFromSnapshots?: (shapes: ReadonlyMap<string, string | undefined>) => Promise<SnapshotStreams>;

  /** Product events of all streams in log order. */
  readAll(options: ReadAllOptions): Promise<RecordedEvent[]>;

  /**
   * Every product event after a position, once, in log order, and then those to come, until the signal aborts.
   * Batches are never empty. Survives a lost connection by itself.
   */
  subscribe(options: SubscribeOptions): AsyncIterable<readonly RecordedEvent[]>;

  /** Position of the last product event, undefined in an empty log. */
  head(): Promise<Position | undefined>;

  /** How many product events come after a position, counted up to `atMost`: a store that does not number them has to read them. */
  countAfter(after: Position | undefined, atMost: number): Promise<number>;

  close(): Promise<void>;
}

/** Translates between events as the domain knows them and as they are stored (sealed personal data, lifted old shapes). */
export interface EventCodec {
  encode(events: readonly NewEvent[]): Promise<NewEvent[]>;
  /**
   * What is sealed may be opened no sooner than it is read.
   * @throws UndecodableEventError for one that it will never be able to decode
   */
  decode(events: readonly RecordedEvent[]): Promise<RecordedEvent[]>;
}

/** No fault of the moment: this code does not know what to make of it. */
export class UndecodableEventError extends Error {
  override readonly name = 'UndecodableEventError';
}

export class EventStoreUnavailableError extends Error {
  override readonly name = 'EventStoreUnavailableError';
}

export class InvalidAppendError extends Error {
  override readonly name = 'InvalidAppendError';
}
