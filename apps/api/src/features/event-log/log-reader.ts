import { Inject, Injectable } from '@nestjs/common';
import {
  DomainError,
  type EventMetadata,
  entryOf,
  operatorOf,
  protectedPayload,
  protectedStream,
  streamNamesPerson,
} from '@nimo/domain';
import { type EventStore, LogOrdinals, type NumberedEvent } from '@nimo/event-store';
import { EVENT_STORE, STORED_LOG } from '../../platform/config/tokens.js';
import type { LogEvent, LogEventDetail, LogPage, LogStream } from './event-log.types.js';

export interface LogPageRequest {
  /** Exclusive ordinal. Without it and `after`, the page ends with the last event. */
  readonly before?: number | undefined;
  /** Exclusive ordinal. The page begins after it. */
  readonly after?: number | undefined;
  readonly type?: string | undefined;
  /** Prefix of stream names, such as `question-`. */
  readonly category?: string | undefined;
  readonly limit: number;
}

export type StreamRequest = ({ readonly streamId: string } | { readonly ordinal: number }) & {
  readonly fromRevision: number;
  readonly limit: number;
};

/** Events searched for one page, so that a rare type does not read the whole log in one request. */
const MAX_SEARCHED = 10_000;
const CHUNK = 1_000;

/**
 * The log as maintainers may see it: no sealed values, no IDs of people. It reads forward in windows of ordinals, because the store has
 * no backward read and its end is known.
 */
@Injectable()
export class LogReader {
  private readonly ordinals: LogOrdinals;

  constructor(
    /** As stored, for lists: sealed values are not needed. */
    @Inject(STORED_LOG) private readonly stored: EventStore,
    @Inject(EVENT_STORE) private readonly store: EventStore,
  ) {
    this.ordinals = new LogOrdinals(stored);
  }

  /** Events newest first, with the range of ordinals that was searched. */
  async page(request: LogPageRequest): Promise<LogPage> {
    const lastOrdinal = await this.ordinals.last();
    const found =
      request.after === undefined
        ? await this.searchBack(request, Math.min(request.before ?? Infinity, lastOrdinal + 1))
        : await this.searchForward(request, request.after, lastOrdinal);
    return { ...found, events: found.events.map(logEventOf), lastOrdinal };
  }

  /** Null if the log has no such event. */
  async event(ordinal: number): Promise<LogEventDetail | null> {
    const [stored] = await this.ordinals.readFrom(ordinal, 1);
    if (!stored) return null;
    const until = stored.position;
    const [before] = ordinal > 1 ? await this.ordinals.readFrom(ordinal - 1, 1) : [];
    const [event] = await this.store.readAll({ ...(before && { after: before.position }), until, limit: 1 });
    if (!event) return null;
    return {
      event: logEventOf({ ...event, ordinal }),
      undecodable: event.undecodable ?? null,
      data: protectedPayload(event.type, event.data),
    };
  }

  /**
   * Events of one stream in order; null if there is none.
   * @throws DomainError STREAM_NAMES_PERSON for a name that contains the ID of a person
   */
  async stream({ fromRevision, limit, ...named }: StreamRequest): Promise<LogStream | null> {
    const streamId = 'ordinal' in named ? await this.streamOf(named.ordinal) : named.streamId;
    if (streamId === undefined) return null;
    if ('streamId' in named && streamNamesPerson(streamId)) throw new DomainError('STREAM_NAMES_PERSON');
    const read = await this.stored.readStream(streamId, { fromRevision, limit: limit + 1 });
    if (read.length === 0 && fromRevision === 0) return null;
    const events: LogEvent[] = [];
    for (const event of read.slice(0, limit))
      events.push(logEventOf({ ...event, ordinal: await this.ordinals.ordinalOf(event.position) }));
    return { streamId: protectedStream(streamId), events, hasMore: read.length > limit };
  }

  private async streamOf(ordinal: number): Promise<string | undefined> {
    const [event] = await this.ordinals.readFrom(ordinal, 1);
    return event?.streamId;
  }

  private async searchBack(request: LogPageRequest, before: number): Promise<Searched> {
    const { limit } = request;
    const lowest = Math.max(1, before - MAX_SEARCHED);
    const events: NumberedEvent[] = [];
    let from = before;
    while (from > lowest && events.length < limit) {
      const end = from;
      from = Math.max(lowest, end - chunkOf(request));
      const read = await this.ordinals.readFrom(from, end - from);
      events.push(...read.filter(isAskedFor(request)).reverse());
    }
    const shown = events.slice(0, limit);
    const isFull = shown.length === limit;
    return {
      events: shown,
      fromOrdinal: isFull ? (shown.at(-1)?.ordinal ?? from) : from,
      toOrdinal: before - 1,
    };
  }

  private async searchForward(request: LogPageRequest, after: number, last: number): Promise<Searched> {
    const { limit } = request;
    const highest = Math.min(last, after + MAX_SEARCHED);
    const events: NumberedEvent[] = [];
    let to = Math.min(after, highest);
    while (to < highest && events.length < limit) {
      const read = await this.ordinals.readFrom(to + 1, Math.min(chunkOf(request), highest - to));
      if (read.length === 0) break;
      to += read.length;
      events.push(...read.filter(isAskedFor(request)));
    }
    const shown = events.slice(0, limit).reverse();
    const isFull = shown.length === limit;
    return { events: shown, fromOrdinal: after + 1, toOrdinal: isFull ? (shown[0]?.ordinal ?? to) : to };
  }
}

interface Searched {
  readonly events: readonly NumberedEvent[];
  /** Inclusive. */
  readonly fromOrdinal: number;
  readonly toOrdinal: number;
}

const chunkOf = ({ type, category, limit }: LogPageRequest): number =>
  type === undefined && category === undefined ? limit : CHUNK;

const isAskedFor =
  ({ type, category }: LogPageRequest) =>
  (event: NumberedEvent): boolean =>
    (type === undefined || event.type === type) &&
    (category === undefined || event.streamId.startsWith(category));

function logEventOf(event: NumberedEvent): LogEvent {
  const { ordinal, id, type, streamId, revision } = event;
  // The command runner writes the same metadata on every event.
  const metadata = event.metadata as unknown as EventMetadata;
  const { occurredAt, recordedAt, commandId, correlationId, causationId, schemaVersion, actor } = metadata;
  return {
    ...{ ordinal, eventId: id, type, revision, occurredAt, recordedAt },
    ...{ commandId, correlationId, causationId, schemaVersion },
    streamId: protectedStream(streamId),
    // Only the kind: the actor of a vote is the voter.
    actorKind: actor.kind,
    operator: operatorOf(actor),
    isStaffAction: entryOf(type)?.audit.class === 'ACT',
  };
}
