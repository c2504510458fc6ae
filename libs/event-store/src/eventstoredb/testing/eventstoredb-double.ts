import { randomUUID } from 'node:crypto';
import gossipService from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import featuresService from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streamsService from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Server, ServerCredentials, type UntypedServiceImplementation } from '@grpc/grpc-js';
import type { AppendFault } from './append-faults.js';
import { type AppendCallback, type AppendCall, type BatchCall, DoubleAppends } from './double-appends.js';
import { BROKEN, type CallFailure, notLeader } from './double-failures.js';
import { DoubleLog } from './double-log.js';
import { DoubleReads, type ReadCall } from './double-reads.js';
import { FreezableProxy } from './freezable-proxy.js';

const HOST = '127.0.0.1';

export interface DoubleOptions {
  /** Defaults to a free port. */
  readonly port?: number;
  /** Supports batch append, like servers since 21.10. Defaults to true. */
  readonly isBatching?: boolean;
  /** Allows `freeze`, by routing all traffic through a proxy. */
  readonly isFreezable?: boolean;
}

interface Callback<Response> {
  (error: CallFailure | null, response?: Response): void;
}

/**
 * An in-memory EventStoreDB server for tests: appends, batch appends, reads, catch-up subscriptions and gossip over gRPC, with the real
 * server's failures on demand. Its behavior follows the server's source code and was not verified against a running server.
 */
export class EventStoreDbDouble {
  private readonly log: DoubleLog;
  private readonly server = new Server({ 'grpc.max_receive_message_length': -1 });
  private readonly isBatching: boolean;
  private readonly appends: DoubleAppends;
  private readonly openReads: DoubleReads;
  private leader: EventStoreDbDouble | undefined;
  private proxy: FreezableProxy | undefined;
  private failsFeatures = 0;
  private boundPort = 0;

  private constructor(log: DoubleLog, { isBatching = true }: DoubleOptions) {
    this.log = log;
    this.isBatching = isBatching;
    const rejection = (): CallFailure | undefined => this.leader && notLeader(HOST, this.leader.boundPort);
    this.appends = new DoubleAppends({ log, rejection });
    this.openReads = new DoubleReads(log, rejection);
  }

  static async start(options: DoubleOptions = {}): Promise<EventStoreDbDouble> {
    const double = new EventStoreDbDouble(new DoubleLog(), options);
    await double.listen(options);
    return double;
  }

  /** Starts another node on the same log. */
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

  /** Number of events in the log. */
  get events(): number {
    return this.log.length;
  }

  /** Number of appends written by this node. */
  get written(): number {
    return this.appends.written;
  }

  /** Makes another node the leader; undefined makes this node the leader again. */
  follow(leader: EventStoreDbDouble | undefined): void {
    this.leader = leader;
  }

  /** Fails the next appends, in order. */
  failAppends(...faults: readonly AppendFault[]): void {
    this.appends.faults.plan(faults);
  }

  /** Sets the size limit of an append. The default is 1 MiB. */
  limitAppends(bytes: number): void {
    this.appends.maxBytes = bytes;
  }

  /** Fails the next feature discovery calls with a transport error. */
  failFeatures(times: number): void {
    this.failsFeatures = times;
  }

  /** Ends all open reads and subscriptions with a transport error. */
  breakReads(): void {
    this.openReads.breakAll();
  }

  /** Ends all open calls, including appends in flight. */
  breakAll(): void {
    this.openReads.breakAll();
    this.appends.breakAll();
  }

  /** Appends a system event, which the store must hide. */
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

  /** Stops all traffic but keeps connections open, like a suspended process. */
  freeze(): void {
    if (!this.proxy) throw new TypeError('the double was not started with isFreezable');
    this.proxy.freeze();
  }

  thaw(): void {
    this.proxy?.thaw();
  }

  async stop(): Promise<void> {
    this.breakAll();
    this.proxy?.stop();
    this.server.forceShutdown();
  }

  private async listen({ port = 0, isFreezable = false }: DoubleOptions): Promise<void> {
    const service: UntypedServiceImplementation = {
      append: (call: AppendCall, callback: AppendCallback) => this.appends.append(call, callback),
      read: (call: ReadCall) => this.openReads.read(call),
      ...(this.isBatching && { batchAppend: (call: BatchCall) => this.appends.batchAppend(call) }),
    };
    this.server.addService(streamsService.StreamsService, service);
    this.server.addService(gossipService.GossipService, {
      read: (_: unknown, callback: Callback<gossip.ClusterInfo>) => callback(null, this.clusterInfo()),
    });
    if (this.isBatching)
      this.server.addService(featuresService.ServerFeaturesService, {
        getSupportedMethods: (_: unknown, callback: Callback<features.SupportedMethods>) =>
          this.failsFeatures-- > 0 ? callback(BROKEN) : callback(null, SUPPORTED),
      });
    this.boundPort = await this.bind(isFreezable ? 0 : port);
    if (!isFreezable) return;
    this.proxy = await FreezableProxy.start(this.boundPort, port);
    this.boundPort = this.proxy.port;
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
