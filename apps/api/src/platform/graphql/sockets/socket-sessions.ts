import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { WebSocket } from 'ws';
import { SessionReader } from '../../auth/session-reader.js';
import { SessionStore } from '../../auth/session-store.js';
import type { Logger } from '../../logging/logger.js';
import { guarded } from '../../errors/guarded.js';
import { LOGGER } from '../../config/tokens.js';
import { RequestContextFactory, type SubscriptionContext } from '../context-factory.js';
import type { RequestContext } from '../../auth/request-context.js';

/** Close code of graphql-ws after which its client does not reconnect. */
const UNAUTHORIZED = 4401;
/** Interval to find expired sessions, which are not announced. */
const SWEEP_MS = 60_000;

interface SignedInSession {
  readonly sessionId: string;
  readonly studentId: string;
}

/** Closes sockets when the session that opened them ends. */
@Injectable()
export class SocketSessions implements OnModuleInit, OnApplicationShutdown {
  private readonly sessionsBySocket = new Map<WebSocket, SignedInSession>();
  private readonly sweepGuarded = guarded(
    (err) => this.logger.error({ err }, 'could not close sockets of ended sessions'),
    () => this.sweep(),
  );
  private readonly sweeping = setInterval(this.sweepGuarded, SWEEP_MS).unref();

  constructor(
    private readonly contexts: RequestContextFactory,
    private readonly reader: SessionReader,
    private readonly sessions: SessionStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onModuleInit(): void {
    this.reader.onSessionEnd({
      onEnd: (id) => this.closeMatching(({ sessionId, studentId }) => sessionId === id || studentId === id),
      onGap: this.sweepGuarded,
    });
  }

  onApplicationShutdown(): void {
    clearInterval(this.sweeping);
  }

  /** The account that opened the socket; undefined when not signed in. Each subscription is authorised separately. */
  async accountOf(context: SubscriptionContext): Promise<string | undefined> {
    // The subscription reports session and database errors.
    const request = await this.contexts.forSubscription(context).catch(() => undefined);
    return request?.viewer?.studentId;
  }

  /** The context of a subscription; its socket is then tied to the session. */
  async contextOf(context: SubscriptionContext): Promise<RequestContext> {
    const request = await this.contexts.forSubscription(context);
    const { socket } = context.extra;
    if (request.viewer && !this.sessionsBySocket.has(socket)) {
      this.sessionsBySocket.set(socket, request.viewer);
      socket.once('close', () => this.sessionsBySocket.delete(socket));
    }
    return request;
  }

  private async sweep(): Promise<void> {
    const ids = new Set([...this.sessionsBySocket.values()].map(({ sessionId }) => sessionId));
    if (ids.size === 0) return;
    // If the database is down, the next sweep retries; meanwhile sessions end only by expiry.
    const live = await this.sessions.filterLive([...ids]).catch(() => ids);
    this.closeMatching(({ sessionId }) => ids.has(sessionId) && !live.has(sessionId));
  }

  private closeMatching(matches: (signed: SignedInSession) => boolean): void {
    for (const [socket, signed] of this.sessionsBySocket) {
      if (matches(signed)) socket.close(UNAUTHORIZED, 'The session has ended.');
    }
  }
}
