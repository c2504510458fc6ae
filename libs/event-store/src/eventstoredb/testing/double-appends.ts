import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { ServerDuplexStream, ServerReadableStream } from '@grpc/grpc-js';
import { type AppendFault, AppendFaults } from './append-faults.js';
import {
  ACCESS_DENIED,
  appendTooLarge,
  BATCH_ACCESS_DENIED,
  BATCH_NO_LEADER,
  BATCH_NOT_READY,
  BATCH_TIMEOUT,
  batchConflict,
  batchTooLarge,
  BROKEN,
  type CallFailure,
  NO_LEADER_INFO,
  NOT_READY,
  TIMED_OUT,
} from './double-failures.js';
import type { DoubleEvent, DoubleLog } from './double-log.js';

export type AppendCall = ServerReadableStream<streams.AppendReq, streams.AppendResp>;
export type AppendCallback = (error: CallFailure | null, response?: streams.AppendResp) => void;
export type BatchCall = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>;

type Message = streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage;

interface AppendRequest {
  readonly streamId: string;
  readonly expected: 'any' | number;
  readonly events: readonly DoubleEvent[];
}

export interface AppendsOptions {
  readonly log: DoubleLog;
  /** Why this node rejects appends; undefined if it accepts them. */
  readonly rejection: () => CallFailure | undefined;
}

/** Single appends, and batch appends over a long-lived call (since version 21.10). */
export class DoubleAppends {
  readonly faults = new AppendFaults();
  /** Size limit of an append: type, data and metadata as stored. */
  maxBytes = 1024 * 1024;
  /** Number of appends written. */
  written = 0;
  private readonly options: AppendsOptions;
  private readonly open = new Set<BatchCall>();

  constructor(options: AppendsOptions) {
    this.options = options;
  }

  /** Ends every open batch call without responding to appends in flight. */
  breakAll(): void {
    for (const call of this.open) fail(call, BROKEN);
    this.open.clear();
  }

  append(call: AppendCall, callback: AppendCallback): void {
    let options: streams.AppendReq.Options | undefined;
    const messages: Message[] = [];
    call.on('data', (request: streams.AppendReq) => {
      options ??= request.getOptions();
      const message = request.getProposedMessage();
      if (message) messages.push(message);
    });
    call.on('end', () => {
      if (options) this.respond(requestOf(options, expectedOf(options), messages), callback);
    });
  }

  private respond(append: AppendRequest, callback: AppendCallback): void {
    const rejection = this.options.rejection();
    if (rejection) return callback(rejection);
    if (bytesOf(append) > this.maxBytes) return callback(appendTooLarge(this.maxBytes));
    const fault = this.faults.take();
    const failure = CALL_FAILURES[fault?.kind ?? 'drops-before'];
    if (fault && !isWritten(fault)) return fault.kind === 'no-response' ? undefined : callback(failure);
    const result = this.write(append);
    if (fault) return fault.kind === 'no-response' ? undefined : callback(failure);
    return callback(null, appendResponse(result));
  }

  batchAppend(call: BatchCall): void {
    this.open.add(call);
    const pending = new Map<string, { options: streams.BatchAppendReq.Options; messages: Message[] }>();
    call.on('data', (request: streams.BatchAppendReq) => {
      const correlation = request.getCorrelationId()?.getString() ?? '';
      const options = request.getOptions();
      if (options) pending.set(correlation, { options, messages: [] });
      const current = pending.get(correlation);
      current?.messages.push(...request.getProposedMessagesList());
      if (!current || !request.getIsFinal()) return;
      pending.delete(correlation);
      this.respondToBatch(
        call,
        request,
        requestOf(current.options, expectedOf(current.options), current.messages),
      );
    });
    call.on('end', () => call.end());
    call.on('cancelled', () => this.open.delete(call));
    call.on('error', () => this.open.delete(call));
  }

  /** Errors of one append are returned as a status; other errors end the call with everything in flight. */
  private respondToBatch(call: BatchCall, request: streams.BatchAppendReq, append: AppendRequest): void {
    const rejection = this.options.rejection();
    if (rejection) return fail(call, rejection);
    const response = new streams.BatchAppendResp()
      .setCorrelationId(request.getCorrelationId())
      .setStreamIdentifier(identifierOf(append.streamId));
    const send = (reply: streams.BatchAppendResp): void => void call.write(reply);
    if (bytesOf(append) > this.maxBytes) return send(response.setError(batchTooLarge(this.maxBytes)));
    const fault = this.faults.take();
    const result = fault && !isWritten(fault) ? undefined : this.write(append);
    if (fault?.kind === 'no-response') return;
    if (fault?.kind === 'drops-before' || fault?.kind === 'drops-after') return fail(call, BROKEN);
    if (fault) return send(response.setError(BATCH_ERRORS[fault.kind]));
    if (result === undefined || 'actual' in result)
      return send(response.setError(batchConflict(result?.actual ?? -1)));
    const position = new shared.AllStreamPosition()
      .setCommitPosition(String(result.position))
      .setPreparePosition(String(result.position));
    const success = new streams.BatchAppendResp.Success().setPosition(position);
    return send(response.setSuccess(success.setCurrentRevision(String(result.revision))));
  }

  private write({ streamId, expected, events }: AppendRequest): ReturnType<DoubleLog['append']> {
    const result = this.options.log.append(streamId, expected, events);
    if ('position' in result) this.written += 1;
    return result;
  }
}

const CALL_FAILURES: Readonly<Record<AppendFault['kind'], CallFailure>> = {
  'drops-before': BROKEN,
  'drops-after': BROKEN,
  'no-response': BROKEN,
  'times-out': TIMED_OUT,
  'not-ready': NOT_READY,
  'no-leader': NO_LEADER_INFO,
  'denies-access': ACCESS_DENIED,
};

const BATCH_ERRORS = {
  'times-out': BATCH_TIMEOUT,
  'not-ready': BATCH_NOT_READY,
  'no-leader': BATCH_NO_LEADER,
  'denies-access': BATCH_ACCESS_DENIED,
} as const;

function isWritten(fault: AppendFault): boolean {
  return fault.kind === 'no-response' ? fault.isWritten : fault.kind === 'drops-after';
}

export function fail(
  call: { emit(event: 'error', failure: CallFailure): boolean },
  failure: CallFailure,
): void {
  call.emit('error', failure);
}

function requestOf(
  options: streams.AppendReq.Options | streams.BatchAppendReq.Options,
  expected: 'any' | number,
  messages: readonly Message[],
): AppendRequest {
  const events = messages.map((message) => ({
    id: message.getId()?.getString() ?? '',
    type: message.getMetadataMap().get('type') ?? '',
    contentType: message.getMetadataMap().get('content-type') ?? '',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  }));
  return { streamId: nameOf(options.getStreamIdentifier()), expected, events };
}

/** Counted as the server does: two bytes per character of the type. */
function bytesOf({ events }: AppendRequest): number {
  return events.reduce(
    (sum, { type, data, metadata }) => sum + data.length + metadata.length + 2 * type.length,
    0,
  );
}

function expectedOf(options: streams.AppendReq.Options | streams.BatchAppendReq.Options): 'any' | number {
  if (options.hasNoStream()) return -1;
  if ('hasRevision' in options) return options.hasRevision() ? Number(options.getRevision()) : 'any';
  return options.hasStreamPosition() ? Number(options.getStreamPosition()) : 'any';
}

function appendResponse(result: ReturnType<DoubleLog['append']>): streams.AppendResp {
  const response = new streams.AppendResp();
  if (!('position' in result)) {
    const wrong = new streams.AppendResp.WrongExpectedVersion();
    if (result.actual === -1) wrong.setCurrentNoStream(new shared.Empty());
    else wrong.setCurrentRevision(String(result.actual));
    return response.setWrongExpectedVersion(wrong);
  }
  const position = new streams.AppendResp.Position()
    .setCommitPosition(String(result.position))
    .setPreparePosition(String(result.position));
  return response.setSuccess(
    new streams.AppendResp.Success().setCurrentRevision(String(result.revision)).setPosition(position),
  );
}

export function nameOf(identifier: shared.StreamIdentifier | undefined): string {
  return Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');
}

export function identifierOf(streamId: string): shared.StreamIdentifier {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(streamId));
}
