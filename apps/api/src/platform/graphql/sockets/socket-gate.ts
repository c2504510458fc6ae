import type { IncomingMessage } from 'node:http';
import { Inject, Injectable } from '@nestjs/common';
import { GraphQLError } from 'graphql';
import type { Settings } from '../../config/load-settings.js';
import { SETTINGS } from '../../config/tokens.js';
import { ClientAddresses, type ClientKey } from '../../callers/client-address.js';
import { requestPath } from '../../web/request-path.js';
import type { SubscriptionContext } from '../context-factory.js';

/** Of one process. Against machines: a class behind one address meets none of them. `RATE_LIMIT_FACTOR` multiplies those of several sockets. */
export const SOCKET_LIMITS = {
  sockets: 10_000,
  socketsPerAddress: 400,
  /** Tabs and devices of one person. */
  socketsPerAccount: 30,
  subscriptionsPerAddress: 1_500,
  subscriptionsPerAccount: 200,
} as const;

/** Of each socket. */
export const SOCKET_BOUNDS = {
  subscriptions: 50,
  messageBytes: 64 * 1024,
  /** What it may say in ten seconds; a page that comes back asks for all it listens to at once. */
  messages: 300,
  messagesMs: 10_000,
  /** What waits for a browser that does not read. */
  unreadBytes: 1024 * 1024,
  /** For the first message, which says who asks. */
  initMs: 3_000,
  /** Between two questions whether somebody is there, and for the answer. */
  pingMs: 12_000,
} as const;

const PATH = '/graphql';

/** The line of the answer to a handshake that is refused. */
export type Refusal = '403 Forbidden' | '404 Not Found' | '429 Too Many Requests' | '503 Service Unavailable';

interface Peer {
  readonly client: ClientKey;
  readonly account: string | undefined;
  /** As `count` saw them last. */
  subscriptions: number;
}

/** How many of something each owner has. A socket of no account counts for none. */
class Counts<Owner> {
  private readonly counts = new Map<Owner, number>();

  of(owner: Owner | undefined): number {
    return owner === undefined ? 0 : (this.counts.get(owner) ?? 0);
  }

  add(owner: Owner | undefined, more: number): void {
    if (owner === undefined) return;
    const count = this.of(owner) + more;
    if (count > 0) this.counts.set(owner, count);
    else this.counts.delete(owner);
  }
}

/** Who may open a socket, and how much of it: by address, by account and over all. */
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

  /** Takes a place, which is `release`d when the connection is over; or says why there is none. */
  enter(request: IncomingMessage): { readonly release: () => void } | Refusal {
    if (requestPath(request.url) !== PATH) return '404 Not Found';
    if (!this.isOwnPage(request)) return '403 Forbidden';
    const client = this.clients.of(request).key;
    if (this.socketsOfClient.of(client) >= this.most('socketsPerAddress')) return '429 Too Many Requests';
    if (this.total >= this.most('sockets')) return '503 Service Unavailable';
    const take = (more: 1 | -1): void => {
      this.total += more;
      this.socketsOfClient.add(client, more);
    };
    take(1);
    return { release: () => take(-1) };
  }

  /** A socket that said for whom it asks. @returns false where they have as many as they may */
  connect(context: SubscriptionContext, account: string | undefined): boolean {
    if (this.socketsOfAccount.of(account) >= this.most('socketsPerAccount')) return false;
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
   * Looks at this socket alone: a look at all others of its owners at each subscription would cost by the square of their number. One that
   * the api itself ends is still there then, until the next count.
   */
  count(context: SubscriptionContext): void {
    const peer = this.peers.get(context);
    if (peer) this.set(peer, Object.keys(context.subscriptions).length);
  }

  /** @returns why one more, which is among those of the context already, is not allowed */
  refusalOf(context: SubscriptionContext): GraphQLError | undefined {
    const peer = this.peers.get(context);
    if (!peer) return NOT_CONNECTED;
    this.count(context);
    if (peer.subscriptions > SOCKET_BOUNDS.subscriptions)
      return tooMany(SOCKET_BOUNDS.subscriptions, 'socket');
    const ofClient = this.most('subscriptionsPerAddress');
    if (this.subscriptionsOfClient.of(peer.client) > ofClient) return tooMany(ofClient, 'address');
    const ofAccount = this.most('subscriptionsPerAccount');
    if (this.subscriptionsOfAccount.of(peer.account) > ofAccount) return tooMany(ofAccount, 'account');
    return undefined;
  }

  private set(peer: Peer, subscriptions: number): void {
    const more = subscriptions - peer.subscriptions;
    peer.subscriptions = subscriptions;
    this.subscriptionsOfClient.add(peer.client, more);
    this.subscriptionsOfAccount.add(peer.account, more);
  }

  /** Browsers name the page that asks. Pages of others have no business here; programs name none. */
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

  private most(limit: keyof typeof SOCKET_LIMITS): number {
    return SOCKET_LIMITS[limit] * this.settings.rateLimitFactor;
  }
}

const refused = (message: string): GraphQLError =>
  new GraphQLError(message, { extensions: { code: 'BAD_REQUEST', rule: 'SUBSCRIPTIONS_AT_ONCE' } });

const tooMany = (most: number, owner: 'socket' | 'address' | 'account'): GraphQLError =>
  refused(`Too many subscriptions: at most ${most} at once for each ${owner}.`);

/** Of a socket that is gone already. */
const NOT_CONNECTED = refused('Too many subscriptions: the socket is not connected.');
