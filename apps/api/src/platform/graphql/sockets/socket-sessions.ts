import { Inject, Injectable, type OnApplicationShutdown, type OnModuleInit } from '@nestjs/common';
import type { WebSocket } from 'ws';
import { SessionReader } from '../../auth/session-reader.js';
import { SessionStore } from '../../auth/session-store.js';
import type { Logger } from '../../logging/logger.js';
import { guarded } from '../../errors/guarded.js';
import { LOGGER } from '../../config/tokens.js';
import { RequestContextFactory, type SubscriptionContext } from '../context-factory.js';
import type { RequestContext } from '../../auth/request-context.js';

/** Of graphql-ws: its client does not come back with what is no longer valid. */
const UNAUTHORIZED = 4401;
/** Finds the sessions that expired, of which nobody tells. */
const SWEEP_MS = 60_000;

interface Signed {
  readonly sessionId: string;
  readonly studentId: string;
}

/** Closes a socket when the session ends under which it was opened: a subscription must not outlive the right to it. */
@Injectable()
export class SocketSessions implements OnModuleInit, OnApplicationShutdown {
  private readonly signed = new Map<WebSocket, Signed>();
  private readonly sweepGuarded = guarded(
    (err) => this.logger.error({ err }, 'sockets of sessions that ended were not closed'),
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
    this.reader.whenEnded({
      onEnd: (id) => this.closeThose(({ sessionId, studentId }) => sessionId === id || studentId === id),
      onGap: this.sweepGuarded,
    });
  }

  onApplicationShutdown(): void {
    clearInterval(this.sweeping);
  }

  /** Whose socket it is, undefined for that of somebody who is not signed in; the right to each subscription is looked at by itself. */
  async accountOf(context: SubscriptionContext): Promise<string | undefined> {
    // What is wrong with the session, or with the database, is told by the subscription.
    const request = await this.contexts.forSubscription(context).catch(() => undefined);
    return request?.viewer?.studentId;
  }

  /** The context of a subscription; from then on its socket lives as long as the session. */
  async contextOf(context: SubscriptionContext): Promise<RequestContext> {
    const request = await this.contexts.forSubscription(context);
    const { socket } = context.extra;
    if (request.viewer && !this.signed.has(socket)) {
      this.signed.set(socket, request.viewer);
      socket.once('close', () => this.signed.delete(socket));
    }
    return request;
  }

  private async sweep(): Promise<void> {
    const ids = new Set([...this.signed.values()].map(({ sessionId }) => sessionId));
    if (ids.size === 0) return;
    // The next sweep follows where the database is away; no session ends meanwhile but by expiry.
    const live = await this.sessions.liveAmong([...ids]).catch(() => ids);
    this.closeThose(({ sessionId }) => ids.has(sessionId) && !live.has(sessionId));
  }

  private closeThose(isOver: (signed: Signed) => boolean): void {
    for (const [socket, signed] of this.signed) {
      if (isOver(signed)) socket.close(UNAUTHORIZED, 'The session has ended.');
    }
  }
}
