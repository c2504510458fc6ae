import { randomUUID } from 'node:crypto';
import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Server, ServerCredentials, type UntypedServiceImplementation } from '@grpc/grpc-js';
import type { AppendFault } from './append-faults.js';
import { type AppendAnswer, type AppendCall, type BatchCall, DoubleAppends } from './double-appends.js';
import { BROKEN, type CallFailure, notLeader } from './double-failures.js';
import { DoubleLog } from './double-log.js';
import { DoubleReads, type ReadCall } from './double-reads.js';
import { FreezableLink } from './freezable-link.js';

const HOST = '127.0.0.1';

export interface DoubleOptions {
  /** A free one unless given. */
  readonly port?: number;
  /** Whether it knows the batch append, as servers do since 21.10. */
  readonly isBatching?: boolean;
  /** Whether it can be frozen: then everything goes over one more connection. */
  readonly isFreezable?: boolean;
}

interface Answer<Response> {
  (error: CallFailure | null, response?: Response): void;
}

/**
 * A double of EventStoreDB on the wire, for tests only: both ways to append, reads, catch-up subscriptions and gossip over gRPC, kept
 * in memory, with the failures of the real server on demand. What it does was read from the server's source, not tried against it.
 */
export class EventStoreDbDouble {
  private readonly log: DoubleLog;
  private readonly server = new Server({ 'grpc.max_receive_message_length': -1 });
  private readonly isBatching: boolean;
  private readonly appends: DoubleAppends;
  private readonly openReads: DoubleReads;
  private leader: EventStoreDbDouble | undefined;
  private link: FreezableLink | undefined;
  private failsFeatures = 0;
  private boundPort = 0;

  private constructor(log: DoubleLog, { isBatching = true }: DoubleOptions) {
    this.log = log;
    this.isBatching = isBatching;
    const refusal = (): CallFailure | undefined => this.leader && notLeader(HOST, this.leader.boundPort);
    this.appends = new DoubleAppends({ log, refusal });
    this.openReads = new DoubleReads(log, refusal);
  }

  static async start(options: DoubleOptions = {}): Promise<EventStoreDbDouble> {
    const double = new EventStoreDbDouble(new DoubleLog(), options);
    await double.listen(options);
    return double;
  }

  /** Another node with the same log. */
  async startNode(options: DoubleOptions = {}): Promise<EventStoreDbDouble> {
    const node = new EventStoreDbDouble(this.log, { isBatching: this.isBatching, ...options });
    await node.listen(options);
    return node;
  }

  get port(): number {
    return this.boundPort;
  }

  get connectionString(): string {
    return `esdb://${HOST}:${this.boundPort}?tls=false`;
  }

  get reads(): DoubleReads {
    return this.openReads;
  }

  /** Events that its log has. */
  get events(): number {
    return this.log.length;
  }

  /** Appends that this node has written. */
  get written(): number {
    return this.appends.written;
  }

  /** From now on another node is the leader; undefined makes this one lead again. */
  follow(leader: EventStoreDbDouble | undefined): void {
    this.leader = leader;
  }

  /** What the next appends meet, in order. */
  failAppends(...faults: readonly AppendFault[]): void {
    this.appends.faults.plan(faults);
  }

  /** The server's limit of one append, a MiB unless set. */
  limitAppends(bytes: number): void {
    this.appends.mostBytes = bytes;
  }

  /** The next answers to what the server can do are errors of the transport. */
  failFeatures(times: number): void {
    this.failsFeatures = times;
  }

  /** Ends every read and subscription that is open with an error of the transport. */
  breakReads(): void {
    this.openReads.breakAll();
  }

  /** Ends everything that is open, appends in flight as well. */
  breakAll(): void {
    this.openReads.breakAll();
    this.appends.breakAll();
  }

  /** An event of the server's own, which no user of the store may see. */
  appendSystemEvent(): void {
    this.log.append('$stats-127.0.0.1', 'any', [
      {
        id: randomUUID(),
        type: '$statsCollected',
        contentType: 'application/json',
        data: EMPTY_JSON,
        metadata: EMPTY_JSON,
      },
    ]);
  }

  /** It says nothing more and hears nothing, with all connections open, as a process that was stopped. */
  freeze(): void {
    if (!this.link) throw new TypeError('the double was not started as one that can be frozen');
    this.link.freeze();
  }

  thaw(): void {
    this.link?.thaw();
  }

  async stop(): Promise<void> {
    this.breakAll();
    this.link?.stop();
    this.server.forceShutdown();
  }

  private async listen({ port = 0, isFreezable = false }: DoubleOptions): Promise<void> {
    const service: UntypedServiceImplementation = {
      append: (call: AppendCall, answer: AppendAnswer) => this.appends.append(call, answer),
      read: (call: ReadCall) => this.openReads.read(call),
      ...(this.isBatching && { batchAppend: (call: BatchCall) => this.appends.batchAppend(call) }),
    };
    this.server.addService(streamsService.StreamsService, service);
    this.server.addService(gossipService.GossipService, {
      read: (_: unknown, answer: Answer<gossip.ClusterInfo>) => answer(null, this.clusterInfo()),
    });
    if (this.isBatching)
      this.server.addService(featuresService.ServerFeaturesService, {
        getSupportedMethods: (_: unknown, answer: Answer<features.SupportedMethods>) =>
          this.failsFeatures-- > 0 ? answer(BROKEN) : answer(null, SUPPORTED),
      });
    this.boundPort = await this.bind(isFreezable ? 0 : port);
    if (!isFreezable) return;
    this.link = await FreezableLink.start(this.boundPort, port);
    this.boundPort = this.link.port;
  }

  private bind(port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      this.server.bindAsync(`${HOST}:${port}`, ServerCredentials.createInsecure(), (error, bound) =>
        error ? reject(error) : resolve(bound),
      );
    });
  }

  private clusterInfo(): gossip.ClusterInfo {
    const leader = this.leader ?? this;
    const member = new gossip.MemberInfo()
      .setInstanceId(new shared.UUID().setString(randomUUID()))
      .setTimeStamp('0')
      .setState(gossip.MemberInfo.VNodeState.LEADER)
      .setIsAlive(true)
      .setHttpEndPoint(new gossip.EndPoint().setAddress(HOST).setPort(leader.boundPort));
    return new gossip.ClusterInfo().setMembersList([member]);
  }
}

const EMPTY_JSON = Buffer.from('{}');

const SUPPORTED = new features.SupportedMethods()
  .setEventStoreServerVersion('24.10.0')
  .setMethodsList([
    new features.SupportedMethod()
      .setServiceName('event_store.client.streams.Streams')
      .setMethodName('batchappend'),
  ]);
