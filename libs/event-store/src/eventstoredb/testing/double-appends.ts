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
export type AppendAnswer = (error: CallFailure | null, response?: streams.AppendResp) => void;
export type BatchCall = ServerDuplexStream<streams.BatchAppendReq, streams.BatchAppendResp>;

type Message = streams.AppendReq.ProposedMessage | streams.BatchAppendReq.ProposedMessage;

interface Asked {
  readonly streamId: string;
  readonly expected: 'any' | number;
  readonly events: readonly DoubleEvent[];
}

export interface AppendsOptions {
  readonly log: DoubleLog;
  /** Why this node does not take appends, where it does not. */
  readonly refusal: () => CallFailure | undefined;
}

/** Both ways to append: one call each, and the calls that stay open and carry many (since version 21.10). */
export class DoubleAppends {
  readonly faults = new AppendFaults();
  /** The server's own limit; type, data and metadata count as they are stored. */
  mostBytes = 1024 * 1024;
  /** Appends that were written, of both ways. */
  written = 0;
  private readonly options: AppendsOptions;
  private readonly open = new Set<BatchCall>();

  constructor(options: AppendsOptions) {
    this.options = options;
  }

  /** Ends every batch append that is open; what is in flight on it stays unanswered. */
  breakAll(): void {
    for (const call of this.open) fail(call, BROKEN);
    this.open.clear();
  }

  append(call: AppendCall, answer: AppendAnswer): void {
    let options: streams.AppendReq.Options | undefined;
    const messages: Message[] = [];
    call.on('data', (request: streams.AppendReq) => {
      options ??= request.getOptions();
      const message = request.getProposedMessage();
      if (message) messages.push(message);
    });
    call.on('end', () => {
      if (options) this.answer(askedOf(options, expectedOf(options), messages), answer);
    });
  }

  private answer(asked: Asked, answer: AppendAnswer): void {
    const refusal = this.options.refusal();
    if (refusal) return answer(refusal);
    if (bytesOf(asked) > this.mostBytes) return answer(appendTooLarge(this.mostBytes));
    const fault = this.faults.take();
    const failure = CALL_FAILURES[fault?.kind ?? 'drops-before'];
    if (fault && !isWritten(fault)) return fault.kind === 'is-silent' ? undefined : answer(failure);
    const result = this.write(asked);
    if (fault) return fault.kind === 'is-silent' ? undefined : answer(failure);
    return answer(null, appendResponse(result));
  }

  batchAppend(call: BatchCall): void {
    this.open.add(call);
    const pending = new Map<string, { options: streams.BatchAppendReq.Options; messages: Message[] }>();
    call.on('data', (request: streams.BatchAppendReq) => {
      const correlation = request.getCorrelationId()?.getString() ?? '';
      const options = request.getOptions();
      if (options) pending.set(correlation, { options, messages: [] });
      const asked = pending.get(correlation);
      asked?.messages.push(...request.getProposedMessagesList());
      if (!asked || !request.getIsFinal()) return;
      pending.delete(correlation);
      this.answerBatch(call, request, askedOf(asked.options, expectedOf(asked.options), asked.messages));
    });
    call.on('end', () => call.end());
    call.on('cancelled', () => this.open.delete(call));
    call.on('error', () => this.open.delete(call));
  }

  /** What concerns one append only is answered by a status; the rest ends the call, with all that is in flight on it. */
  private answerBatch(call: BatchCall, request: streams.BatchAppendReq, asked: Asked): void {
    const refusal = this.options.refusal();
    if (refusal) return fail(call, refusal);
    const response = new streams.BatchAppendResp()
      .setCorrelationId(request.getCorrelationId())
      .setStreamIdentifier(identifierOf(asked.streamId));
    const send = (answered: streams.BatchAppendResp): void => void call.write(answered);
    if (bytesOf(asked) > this.mostBytes) return send(response.setError(batchTooLarge(this.mostBytes)));
    const fault = this.faults.take();
    const result = fault && !isWritten(fault) ? undefined : this.write(asked);
    if (fault?.kind === 'is-silent') return;
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

  private write({ streamId, expected, events }: Asked): ReturnType<DoubleLog['append']> {
    const result = this.options.log.append(streamId, expected, events);
    if ('position' in result) this.written += 1;
    return result;
  }
}

const CALL_FAILURES: Readonly<Record<AppendFault['kind'], CallFailure>> = {
  'drops-before': BROKEN,
  'drops-after': BROKEN,
  'is-silent': BROKEN,
  'times-out': TIMED_OUT,
  'is-not-ready': NOT_READY,
  'knows-no-leader': NO_LEADER_INFO,
  'denies-access': ACCESS_DENIED,
};

const BATCH_ERRORS = {
  'times-out': BATCH_TIMEOUT,
  'is-not-ready': BATCH_NOT_READY,
  'knows-no-leader': BATCH_NO_LEADER,
  'denies-access': BATCH_ACCESS_DENIED,
} as const;

function isWritten(fault: AppendFault): boolean {
  return fault.kind === 'is-silent' ? fault.isWritten : fault.kind === 'drops-after';
}

export function fail(
  call: { emit(event: 'error', failure: CallFailure): boolean },
  failure: CallFailure,
): void {
  call.emit('error', failure);
}

function askedOf(
  options: streams.AppendReq.Options | streams.BatchAppendReq.Options,
  expected: 'any' | number,
  messages: readonly Message[],
): Asked {
  const events = messages.map((message) => ({
    id: message.getId()?.getString() ?? '',
    type: message.getMetadataMap().get('type') ?? '',
    contentType: message.getMetadataMap().get('content-type') ?? '',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
  }));
  return { streamId: nameOf(options.getStreamIdentifier()), expected, events };
}

/** As the server counts: characters of the type take two bytes. */
function bytesOf({ events }: Asked): number {
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
