import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context as WebSocketContext } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';
import { SessionReader } from '../auth/session-reader.js';
import { bearerOf } from '../auth/session-token.js';
import { ClientAddresses } from '../web/client-address.js';
import { RequestLoaders, type RequestContext } from './request-context.js';

const LONGEST_KEY = 200;

/** What graphql-ws hands over for each operation of a socket. */
export type ConnectionParams = { readonly authorization?: unknown } | undefined;
export type SubscriptionContext = WebSocketContext<ConnectionParams, Extra>;

@Injectable()
export class RequestContextFactory {
  constructor(
    private readonly sessions: SessionReader,
    private readonly clients: ClientAddresses,
  ) {}

  async forRequest(request: FastifyRequest, reply: FastifyReply): Promise<RequestContext> {
    const { authorization } = request.headers;
    const { address, key: client } = this.clients.of(request.raw);
    const key = request.headers['idempotency-key'];
    return {
      req: request,
      response: reply.raw,
      viewer: authorization === undefined ? null : await this.sessions.viewerOf(bearerOf(authorization)),
      address,
      client,
      userAgent: request.headers['user-agent'] ?? '',
      correlationId: request.id,
      idempotencyKey: typeof key === 'string' && key.length <= LONGEST_KEY ? key : null,
      loaders: new RequestLoaders(),
      freshness: { stale: false },
      commands: { given: 0 },
    };
  }

  async forSubscription({ connectionParams, extra }: SubscriptionContext): Promise<RequestContext> {
    const { address, key: client } = this.clients.of(extra.request);
    const authorization = connectionParams?.authorization ?? extra.request.headers.authorization;
    return {
      req: extra.request,
      response: null,
      viewer:
        typeof authorization === 'string' ? await this.sessions.viewerOf(bearerOf(authorization)) : null,
      address,
      client,
      userAgent: extra.request.headers['user-agent'] ?? '',
      correlationId: randomUUID(),
      idempotencyKey: null,
      loaders: new RequestLoaders(),
      freshness: { stale: false },
      commands: { given: 0 },
    };
  }
}
