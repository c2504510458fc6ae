import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context as WebSocketContext } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';
import { z } from 'zod';
import { SessionReader } from '../auth/session-reader.js';
import { bearerOf } from '../auth/session-token.js';
import { ClaimHasher } from '../personal-data/claim-hash.js';
import { Turns } from '../runtime/turns.js';
import { whenGone } from '../runtime/when-gone.js';
import { ClientAddresses } from '../web/client-address.js';
import { asGraphql } from './as-graphql.js';
import { problemOfDocument } from './document-shape.js';
import { KnownDocuments } from './known-documents.js';
import { RequestLoaders, type IdempotencyKey, type RequestContext } from './request-context.js';

const Asked = z.object({
  query: z.unknown(),
  operationName: z.unknown().optional(),
  variables: z.unknown().optional(),
});

/** What graphql-ws hands over for each operation of a socket. */
export type ConnectionParams = { readonly authorization?: unknown } | undefined;
export type SubscriptionContext = WebSocketContext<ConnectionParams, Extra>;

@Injectable()
export class RequestContextFactory {
  constructor(
    private readonly sessions: SessionReader,
    private readonly clients: ClientAddresses,
    private readonly hasher: ClaimHasher,
    private readonly documents: KnownDocuments,
    private readonly turns: Turns,
  ) {}

  /** Comes back when the document may be read, which is to be begun at once. */
  async forRequest(request: FastifyRequest, reply: FastifyReply): Promise<RequestContext> {
    const { authorization } = request.headers;
    const { address, key: client } = this.clients.of(request.raw);
    const unread = this.unreadDocument(request);
    const problem = unread === undefined ? undefined : problemOfDocument(unread);
    if (problem) throw problem;
    const viewer = authorization === undefined ? null : await this.sessions.viewerOf(bearerOf(authorization));
    if (unread !== undefined) await this.turnOf(viewer?.studentId ?? client, unread, reply);
    return {
      req: request,
      response: reply.raw,
      viewer,
      address,
      client,
      userAgent: request.headers['user-agent'] ?? '',
      correlationId: request.id,
      idempotencyKey: this.keyOf(request),
      loaders: new RequestLoaders(),
      freshness: { stale: false },
      commands: { given: 0 },
    };
  }

  /** What is to be parsed and validated, if anything is. */
  private unreadDocument({ body }: FastifyRequest): string | undefined {
    const asked = Asked.safeParse(body);
    if (!asked.success || typeof asked.data.query !== 'string') return undefined;
    return this.documents.find(asked.data.query) ? undefined : asked.data.query;
  }

  private async turnOf(client: string, { length }: string, reply: FastifyReply): Promise<void> {
    try {
      await this.turns.enter(client, length, whenGone(reply.raw));
    } catch (error) {
      throw asGraphql(error);
    }
  }

  private keyOf({ headers, body }: FastifyRequest): IdempotencyKey | null {
    const key = headers['idempotency-key'];
    const asked = Asked.safeParse(body);
    if (typeof key !== 'string' || !asked.success) return null;
    const { query, operationName, variables } = asked.data;
    // Under a key of ours, as what is asked for may hold a password.
    const said = JSON.stringify([query, operationName, variables]);
    return { key, request: this.hasher.hashSecret('idempotent request', said).toString('hex') };
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
