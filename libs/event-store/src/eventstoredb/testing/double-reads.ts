import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { type ServerWritableStream, status } from '@grpc/grpc-js';
import { fail, identifierOf, nameOf } from './double-appends.js';
import { BROKEN, type CallFailure } from './double-failures.js';
import type { DoubleLog, DoubleRecord } from './double-log.js';

export type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>;

/** The server sends a checkpoint after this many filtered events. */
const CHECKPOINT_EVERY = 32;

/** Reads of one stream or the whole log, and filtered catch-up subscriptions. */
export class DoubleReads {
  /** Start position of each subscription, in order. */
  readonly subscribedFrom: (number | undefined)[] = [];
  /** Number of read and subscription calls. */
  calls = 0;
  /** Number of events scanned by reads and subscriptions, sent or not. */
  eventsScanned = 0;
  private ignored = 0;
  private readonly log: DoubleLog;
  private readonly rejection: () => CallFailure | undefined;
  private readonly open = new Map<ReadCall, AbortController>();

  constructor(log: DoubleLog, rejection: () => CallFailure | undefined) {
    this.log = log;
    this.rejection = rejection;
  }

  /** Never responds to the next `calls` calls. */
  ignoreCalls(calls: number): void {
    this.ignored += calls;
  }

  breakAll(): void {
    for (const call of [...this.open.keys()]) {
      this.end(call);
      fail(call, BROKEN);
    }
  }

  read(call: ReadCall): void {
    this.calls += 1;
    const options = call.request.getOptions();
    if (options === undefined) return fail(call, { code: status.INVALID_ARGUMENT, details: 'no options' });
    const rejection = call.metadata.get('requires-leader').includes('true') ? this.rejection() : undefined;
    if (rejection) return fail(call, rejection);
    this.open.set(call, new AbortController());
    call.on('cancelled', () => this.end(call));
    if (this.ignored > 0) this.ignored -= 1;
    else if (options.hasSubscription()) void this.subscribe(call, options);
    else void this.readOnce(call, options);
  }

  private async readOnce(call: ReadCall, options: streams.ReadReq.Options): Promise<void> {
    const stream = options.getStream();
    if (stream && !this.log.has(nameOf(stream.getStreamIdentifier()))) {
      const missing = new streams.ReadResp.StreamNotFound().setStreamIdentifier(stream.getStreamIdentifier());
      call.write(new streams.ReadResp().setStreamNotFound(missing));
    }
    const isBackwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
    const records = stream
      ? this.log.stream(nameOf(stream.getStreamIdentifier()), Number(stream.getRevision() || 0))
      : this.log.all(positionOf(options), isBackwards);
    for (const record of records.slice(0, Number(options.getCount()))) {
      this.eventsScanned += 1;
      if (!(await this.write(call, eventOf(record)))) return;
    }
    this.end(call);
    call.end();
  }

  private async subscribe(call: ReadCall, options: streams.ReadReq.Options): Promise<void> {
    this.subscribedFrom.push(positionOf(options));
    const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID());
    await this.write(call, new streams.ReadResp().setConfirmation(confirmation));
    const matches = matcherOf(options.getFilter());
    let after = positionOf(options) ?? -1;
    let skipped = 0;
    for (let signal = this.signalOf(call); signal; signal = this.signalOf(call)) {
      const since = this.log.appended.version;
      for (const record of this.log.after(after)) {
        after = record.position;
        this.eventsScanned += 1;
        const isMatch = matches(record);
        if (!isMatch && ++skipped % CHECKPOINT_EVERY !== 0) continue;
        if (!(await this.write(call, isMatch ? eventOf(record) : checkpointAt(record.position)))) return;
      }
      await this.log.appended.wait({ since, signal });
    }
  }

  /** Waits for a slow reader. False if the call has ended. */
  private async write(call: ReadCall, response: streams.ReadResp): Promise<boolean> {
    const signal = this.signalOf(call);
    if (signal === undefined) return false;
    if (!call.write(response)) await once(call, 'drain', { signal }).catch(() => undefined);
    return this.open.has(call);
  }

  private signalOf(call: ReadCall): AbortSignal | undefined {
    return this.open.get(call)?.signal;
  }

  private end(call: ReadCall): void {
    this.open.get(call)?.abort();
    this.open.delete(call);
  }
}

function matcherOf(
  filter: streams.ReadReq.Options.FilterOptions | undefined,
): (record: DoubleRecord) => boolean {
  const prefixes = filter?.getStreamIdentifier()?.getPrefixList();
  if (prefixes) return ({ streamId }) => prefixes.some((prefix) => streamId.startsWith(prefix));
  const types = new RegExp(filter?.getEventType()?.getRegex() ?? '');
  return ({ type }) => types.test(type);
}

function positionOf(options: streams.ReadReq.Options): number | undefined {
  const position = options.getAll()?.getPosition();
  return position && Number(position.getCommitPosition());
}

function checkpointAt(position: number): streams.ReadResp {
  return new streams.ReadResp().setCheckpoint(
    new streams.ReadResp.Checkpoint()
      .setCommitPosition(String(position))
      .setPreparePosition(String(position)),
  );
}

function eventOf(record: DoubleRecord): streams.ReadResp {
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(record.id))
    .setStreamIdentifier(identifierOf(record.streamId))
    .setStreamRevision(String(record.revision))
    .setCommitPosition(String(record.position))
    .setPreparePosition(String(record.position))
    .setData(record.data)
    .setCustomMetadata(record.metadata);
  recorded.getMetadataMap().set('type', record.type);
  recorded.getMetadataMap().set('content-type', record.contentType);
  recorded.getMetadataMap().set('created', '0');
  const event = new streams.ReadResp.ReadEvent()
    .setEvent(recorded)
    .setCommitPosition(String(record.position));
  return new streams.ReadResp().setEvent(event);
}
