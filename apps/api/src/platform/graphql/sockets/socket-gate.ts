import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { GraphQLError } from 'graphql';
import type { Settings } from '../../config/load-settings.js';
import { SETTINGS } from '../../config/tokens.js';
import { ClientAddresses, type ClientKey } from '../../callers/client-address.js';
import { requestPath } from '../../web/request-path.js';
import type { SubscriptionContext } from '../context-factory.js';

/** Limits of one process, against bots: a class behind one address never reaches them. Multiplied by `RATE_LIMIT_FACTOR`. */
export const SOCKET_LIMITS = {
  sockets: 10_000,
  socketsPerAddress: 400,
  /** Tabs and devices of one person. */
  socketsPerAccount: 30,
  subscriptionsPerAddress: 1_500,
  subscriptionsPerAccount: 200,
} as const;

/** Limits of each socket. */
export const PER_SOCKET_LIMITS = {
  subscriptions: 50,
  messageBytes: 64 * 1024,
  /** Messages per `messagesMs`; a reconnecting page sends all its subscriptions at once. */
  messages: 300,
  messagesMs: 10_000,
  /** Send buffer for a client that does not read. */
  unreadBytes: 1024 * 1024,
  /** Timeout for `connection_init`. */
  initMs: 3_000,
  /** Interval between pings and timeout for the pong. */
  pingMs: 12_000,
} as const;

const PATH = '/graphql';

/** Status line of a rejected handshake. */
export type HandshakeRefusal =
  | '403 Forbidden'
  | '404 Not Found'
  | '429 Too Many Requests'
  | '503 Service Unavailable';

interface Peer {
  readonly client: ClientKey;
  readonly account: string | undefined;
  /** At the last `count`. */
  subscriptions: number;
}

/** Counts per owner. An undefined owner is not counted. */
class Counts<Owner> {
  private readonly counts = new Map<Owner, number>();

  of(owner: Owner | undefined): number {
    return owner === undefined ? 0 : (this.counts.get(owner) ?? 0);
  }

  add(owner: Owner | undefined, added: number): void {
    if (owner === undefined) return;
    const count = this.of(owner) + added;
    if (count > 0) this.counts.set(owner, count);
    else this.counts.delete(owner);
  }
}

/** Limits sockets and subscriptions per address, per account and per process. */
@Injectable()
export class SocketGate {
  private readonly peers = new Map<SubscriptionContext, Peer>();
  private readonly socketsOfClient = new Counts<ClientKey>();
  private readonly socketsOfAccount = new Counts<string>();
  private readonly subscriptionsOfClient = new Counts<ClientKey>();
  private readonly subscriptionsOfAccount = new Counts<string>();
  private total = 0;

  constructor(
    private readonly clients: ClientAddresses,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'publicUrl' | 'rateLimitFactor'>,
  ) {}

  /** Takes a place, released when the connection closes, or returns why the socket is rejected. */
  enter(request: IncomingMessage): { readonly release: () => void } | HandshakeRefusal {
    if (requestPath(request.url) !== PATH) return '404 Not Found';
    if (!this.isOwnPage(request)) return '403 Forbidden';
    const client = this.clients.of(request).key;
    if (this.socketsOfClient.of(client) >= this.limit('socketsPerAddress')) return '429 Too Many Requests';
    if (this.total >= this.limit('sockets')) return '503 Service Unavailable';
    const take = (more: 1 | -1): void => {
      this.total += more;
      this.socketsOfClient.add(client, more);
    };
    take(1);
    return { release: () => take(-1) };
  }

  /** Registers a socket after `connection_init`. @returns false when the account has too many */
  connect(context: SubscriptionContext, account: string | undefined): boolean {
    if (this.socketsOfAccount.of(account) >= this.limit('socketsPerAccount')) return false;
    const client = this.clients.of(context.extra.request).key;
    this.peers.set(context, { client, account, subscriptions: 0 });
    this.socketsOfAccount.add(account, 1);
    return true;
  }

  disconnect(context: SubscriptionContext): void {
    const peer = this.peers.get(context);
    if (!peer) return;
    this.set(peer, 0);
    this.peers.delete(context);
    this.socketsOfAccount.add(peer.account, -1);
  }

  /**
   * Recounts this socket only: recounting all sockets of an owner on each subscription would be quadratic. A subscription ended by the API
   * itself stays counted until the next count.
   */
  count(context: SubscriptionContext): void {
    const peer = this.peers.get(context);
    if (peer) this.set(peer, Object.keys(context.subscriptions).length);
  }

  /** @returns why the newest subscription, already part of the context, is rejected */
  refusalOf(context: SubscriptionContext): GraphQLError | undefined {
    const peer = this.peers.get(context);
    if (!peer) return NOT_CONNECTED;
    this.count(context);
    if (peer.subscriptions > PER_SOCKET_LIMITS.subscriptions)
      return tooMany(PER_SOCKET_LIMITS.subscriptions, 'socket');
    const ofClient = this.limit('subscriptionsPerAddress');
    if (this.subscriptionsOfClient.of(peer.client) > ofClient) return tooMany(ofClient, 'address');
    const ofAccount = this.limit('subscriptionsPerAccount');
    if (this.subscriptionsOfAccount.of(peer.account) > ofAccount) return tooMany(ofAccount, 'account');
    return undefined;
  }

  private set(peer: Peer, subscriptions: number): void {
    const more = subscriptions - peer.subscriptions;
    peer.subscriptions = subscriptions;
    this.subscriptionsOfClient.add(peer.client, more);
    this.subscriptionsOfAccount.add(peer.account, more);
  }

  /** Browsers send the page's origin; other programs send none. */
  private isOwnPage({ headers: { origin, host } }: IncomingMessage): boolean {
    if (origin === undefined) return true;
    if (!URL.canParse(origin)) return false;
    const page = new URL(origin);
    const { publicUrl } = this.settings;
    return (
      page.host === host?.toLowerCase() ||
      (publicUrl !== undefined && page.origin === new URL(publicUrl).origin)
    );
  }

  private limit(limit: keyof typeof SOCKET_LIMITS): number {
    return SOCKET_LIMITS[limit] * this.settings.rateLimitFactor;
  }
}

const refused = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', rule: 'SUBSCRIPTIONS_AT_ONCE' } });

const tooMany = (max: number, owner: 'socket' | 'address' | 'account'): GraphQLError =>
  refused(`Too many subscriptions: at most ${max} at once for each ${owner}.`);

/** For a socket that has already closed. */
const NOT_CONNECTED = refused('Too many subscriptions: the socket is not connected.');
