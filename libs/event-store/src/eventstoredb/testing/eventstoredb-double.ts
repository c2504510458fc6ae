import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import {
  Server,
  ServerCredentials,
  type ServerReadableStream,
  type ServerWritableStream,
  status,
  type UntypedServiceImplementation,
} from '@grpc/grpc-js';
import { DoubleLog, type DoubleRecord } from './double-log.js';

type ReadCall = ServerWritableStream<streams.ReadReq, streams.ReadResp>;
type AppendCall = ServerReadableStream<streams.AppendReq, streams.AppendResp>;
type AppendAnswer = (error: { code: status; details: string } | null, response?: streams.AppendResp) => void;

const CHECKPOINT_EVERY = 32;
const BROKEN = { code: status.UNAVAILABLE, details: 'broken by the double' };

/**
 * A double of EventStoreDB on the wire, for tests only: append, read and catch-up subscription over gRPC, kept in memory.
 * The client asks for ServerFeatures, is told UNIMPLEMENTED and so uses the plain append instead of the batch.
 */
export class EventStoreDbDouble {
  readonly #log = new DoubleLog();
  readonly #server = new Server({ 'grpc.max_receive_message_length': -1 });
  readonly #open = new Map<ReadCall, AbortController>();
  #losesNextAnswer = false;
  #port = 0;

  static async start(): Promise<EventStoreDbDouble> {
    const double = new EventStoreDbDouble();
    await double.#listen();
    return double;
  }

  get connectionString(): string {
    return `esdb://127.0.0.1:${this.#port}?tls=false`;
  }

  /** The next append is written and answered with an error of the transport. */
  loseNextAnswer(): void {
    this.#losesNextAnswer = true;
  }

  /** Ends every read and subscription that is open with an error of the transport. */
  breakReads(): void {
    for (const call of [...this.#open.keys()]) {
      this.#end(call);
      call.emit('error', BROKEN);
    }
  }

  /** An event of the server's own, which no user of the store may see. */
  appendSystemEvent(): void {
    this.#log.append('$stats-127.0.0.1', 'any', [
      {
        id: randomUUID(),
        type: '$statsCollected',
        contentType: 'application/json',
        data: EMPTY_JSON,
        metadata: EMPTY_JSON,
      },
    ]);
  }

  async stop(): Promise<void> {
    this.breakReads();
    this.#server.forceShutdown();
  }

  async #listen(): Promise<void> {
    const service: UntypedServiceImplementation = {
      append: (call: AppendCall, answer: AppendAnswer) => this.#append(call, answer),
      read: (call: ReadCall) => this.#read(call),
    };
    this.#server.addService(streamsService.StreamsService, service);
    this.#port = await new Promise<number>((resolve, reject) => {
      this.#server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, port) =>
        error ? reject(error) : resolve(port),
      );
    });
  }

  #append(call: AppendCall, answer: AppendAnswer): void {
    let options: streams.AppendReq.Options | undefined;
    const messages: streams.AppendReq.ProposedMessage[] = [];
    call.on('data', (request: streams.AppendReq) => {
      options ??= request.getOptions();
      const message = request.getProposedMessage();
      if (message) messages.push(message);
    });
    call.on('end', () => {
      if (options === undefined) return answer({ code: status.INVALID_ARGUMENT, details: 'no options' });
      const response = this.#answerTo(options, messages);
      const isLost = this.#losesNextAnswer;
      this.#losesNextAnswer = false;
      return isLost ? answer(BROKEN) : answer(null, response);
    });
  }

  #answerTo(
    options: streams.AppendReq.Options,
    messages: streams.AppendReq.ProposedMessage[],
  ): streams.AppendResp {
    const streamId = nameOf(options.getStreamIdentifier());
    const result = this.#log.append(
      streamId,
      expectedOf(options),
      messages.map((message) => ({
        id: message.getId()?.getString() ?? '',
        type: message.getMetadataMap().get('type') ?? '',
        contentType: message.getMetadataMap().get('content-type') ?? '',
        data: message.getData_asU8(),
        metadata: message.getCustomMetadata_asU8(),
      })),
    );
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

  #read(call: ReadCall): void {
    const options = call.request.getOptions();
    if (options === undefined) {
      call.emit('error', { code: status.INVALID_ARGUMENT, details: 'no options' });
      return;
    }
    this.#open.set(call, new AbortController());
    call.on('cancelled', () => this.#end(call));
    if (options.hasSubscription()) void this.#subscribe(call, options);
    else void this.#readOnce(call, options);
  }

  async #readOnce(call: ReadCall, options: streams.ReadReq.Options): Promise<void> {
    const stream = options.getStream();
    if (stream && !this.#log.has(nameOf(stream.getStreamIdentifier()))) {
      const missing = new streams.ReadResp.StreamNotFound().setStreamIdentifier(stream.getStreamIdentifier());
      call.write(new streams.ReadResp().setStreamNotFound(missing));
    }
    const isBackwards = options.getReadDirection() === streams.ReadReq.Options.ReadDirection.BACKWARDS;
    const records = stream
      ? this.#log.stream(nameOf(stream.getStreamIdentifier()), Number(stream.getRevision() || 0))
      : this.#log.all(positionOf(options), isBackwards);
    const count = Number(options.getCount());
    for (const record of records.slice(0, count)) {
      if (!(await this.#write(call, eventOf(record)))) return;
    }
    this.#end(call);
    call.end();
  }

  async #subscribe(call: ReadCall, options: streams.ReadReq.Options): Promise<void> {
    const confirmation = new streams.ReadResp.SubscriptionConfirmation().setSubscriptionId(randomUUID());
    await this.#write(call, new streams.ReadResp().setConfirmation(confirmation));
    const filter = new RegExp(options.getFilter()?.getEventType()?.getRegex() ?? '');
    let after = positionOf(options) ?? -1;
    let skipped = 0;
    for (let signal = this.#signalOf(call); signal; signal = this.#signalOf(call)) {
      const since = this.#log.appended.version;
      for (const record of this.#log.after(after)) {
        after = record.position;
        const isWanted = filter.test(record.type);
        if (!isWanted && ++skipped % CHECKPOINT_EVERY !== 0) continue;
        if (!(await this.#write(call, isWanted ? eventOf(record) : checkpointAt(record.position)))) return;
      }
      await this.#log.appended.wait({ since, signal });
    }
  }

  /** Waits for a slow reader; false where the call is over. */
  async #write(call: ReadCall, response: streams.ReadResp): Promise<boolean> {
    const signal = this.#signalOf(call);
    if (signal === undefined) return false;
    if (!call.write(response)) await once(call, 'drain', { signal }).catch(() => undefined);
    return this.#open.has(call);
  }

  #signalOf(call: ReadCall): AbortSignal | undefined {
    return this.#open.get(call)?.signal;
  }

  #end(call: ReadCall): void {
    this.#open.get(call)?.abort();
    this.#open.delete(call);
  }
}

const EMPTY_JSON = Buffer.from('{}');

function nameOf(identifier: shared.StreamIdentifier | undefined): string {
  return Buffer.from(identifier?.getStreamName_asU8() ?? []).toString('utf8');
}

function expectedOf(options: streams.AppendReq.Options): 'any' | number {
  if (options.hasRevision()) return Number(options.getRevision());
  return options.hasNoStream() ? -1 : 'any';
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
    .setStreamIdentifier(new shared.StreamIdentifier().setStreamName(Buffer.from(record.streamId)))
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
