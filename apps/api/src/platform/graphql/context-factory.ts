import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context as WebSocketContext } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';
import { GraphQLError } from 'graphql';
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
  query: z.unknown().optional(),
  operationName: z.unknown().optional(),
  variables: z.unknown().optional(),
  extensions: z.unknown().optional(),
});
type Asked = z.infer<typeof Asked>;

/** An operation of the web app, by the id that it has in `web-documents.ts`, as Apollo's clients send it. */
const ById = z.object({ persistedQuery: z.object({ version: z.literal(1), sha256Hash: z.string() }) });
const NamesId = z.object({ persistedQuery: z.unknown().refine((value) => value !== undefined) });

interface GivenDocument {
  readonly text: string | undefined;
  readonly isRead: boolean;
}

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
    const asked = Asked.safeParse(request.body).data;
    const { text, isRead } = this.documentOf(asked);
    const unread = isRead ? undefined : text;
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
      idempotencyKey: this.keyOf(request, asked, text),
      loaders: new RequestLoaders(),
      freshness: { stale: false },
      commands: { given: 0 },
    };
  }

  /**
   * The text that is asked for, and whether it was parsed and validated before; those of the web app count as if they were.
   * @throws GraphQLError where it is named by an id that is not known here, as after a change of the version; clients then send the text
   */
  private documentOf({ query, extensions }: Asked = {}): GivenDocument {
    if (extensions === undefined || !NamesId.safeParse(extensions).success) {
      const text = typeof query === 'string' ? query : undefined;
      return { text, isRead: text === undefined || this.documents.find(text) !== undefined };
    }
    const named = ById.safeParse(extensions).data?.persistedQuery.sha256Hash;
    const isTextGiven = query !== undefined && query !== null;
    const text = named === undefined || isTextGiven ? undefined : this.documents.textOf(named);
    if (text === undefined) throw notKnown();
    return { text, isRead: true };
  }

  private async turnOf(client: string, { length }: string, reply: FastifyReply): Promise<void> {
    try {
      await this.turns.enter(client, length, whenGone(reply.raw));
    } catch (error) {
      throw asGraphql(error);
    }
  }

  private keyOf(
    { headers }: FastifyRequest,
    asked: Asked | undefined,
    text: string | undefined,
  ): IdempotencyKey | null {
    const key = headers['idempotency-key'];
    if (typeof key !== 'string' || !asked) return null;
    // The same request whether it came by its text or by its id. Under a key of ours, as what is asked for may hold a password.
    const said = JSON.stringify([text, asked.operationName, asked.variables]);
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

/** As Apollo says it, and as its clients understand it. */
const notKnown = (): GraphQLError =>
  new GraphQLError('PersistedQueryNotFound', { extensions: { code: 'PERSISTED_QUERY_NOT_FOUND' } });
