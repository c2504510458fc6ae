import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Context as WebSocketContext } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';
import { z } from 'zod';
import { newFreshness, READ_AFTER_HEADER, readAfterIn } from '../commands/freshness.js';
import { IdempotencyKeys } from '../commands/idempotency-keys.js';
import { Terms } from '../commands/terms.js';
import { SessionReader } from '../auth/session-reader.js';
import { bearerOf } from '../auth/viewer.js';
import { ClaimHasher } from '../personal-data/key-uses.js';
import { asCaller, ClientAddresses } from '../callers/client-address.js';
import { DocumentAdmission } from './documents/known-documents.js';
import { RequestLoaders, type IdempotencyKey, type RequestContext } from '../auth/request-context.js';

const Asked = z.object({
  query: z.unknown().optional(),
  operationName: z.unknown().optional(),
  variables: z.unknown().optional(),
  extensions: z.unknown().optional(),
});
type Asked = z.infer<typeof Asked>;

/** What graphql-ws hands over for each operation of a socket. */
export type ConnectionParams = { readonly authorization?: unknown } | undefined;
export type SubscriptionContext = WebSocketContext<ConnectionParams, Extra>;

@Injectable()
export class RequestContextFactory {
  constructor(
    private readonly sessions: SessionReader,
    private readonly clients: ClientAddresses,
    private readonly hasher: ClaimHasher,
    private readonly idempotency: IdempotencyKeys,
    private readonly terms: Terms,
    private readonly documents: DocumentAdmission,
  ) {}

  async forRequest(request: FastifyRequest): Promise<RequestContext> {
    const { authorization } = request.headers;
    const { address, key: client } = this.clients.of(request.raw);
    const asked = Asked.safeParse(request.body).data;
    let finding: Promise<RequestContext['viewer']> | undefined;
    const userAgent = request.headers['user-agent'] ?? '';
    const acceptLanguage = request.headers['accept-language'];
    const caller = { address, userAgent, acceptLanguage };
    const findViewer = (): Promise<RequestContext['viewer']> =>
      (finding ??= asCaller(caller, () => this.viewerOf(authorization)));
    const { text, isForeign } = await this.documents.admit(
      asked ?? {},
      async () => (await findViewer()) !== null,
    );
    const viewer = await findViewer();
    return {
      req: request,
      viewer,
      ...caller,
      client,
      isGone: () => request.raw.socket.destroyed,
      correlationId: request.id,
      isForeign,
      idempotencyKey: await this.knownKey(viewer, this.keyOf(request, asked, text)),
      mustAcceptTerms: viewer !== null && (await this.terms.mustAccept(viewer.studentId)),
      loaders: new RequestLoaders(),
      freshness: newFreshness(readAfterIn(request.headers[READ_AFTER_HEADER])),
      commands: { given: 0 },
    };
  }

  private async viewerOf(authorization: unknown): Promise<RequestContext['viewer']> {
    return typeof authorization === 'string' ? this.sessions.viewerOf(bearerOf(authorization)) : null;
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
    return {
      key,
      request: this.hasher.hashSecret('idempotent request', said).toString('hex'),
      formerRequest: this.hasher.formerSecret('idempotent request', said)?.toString('hex'),
    };
  }

  private async knownKey(
    viewer: RequestContext['viewer'],
    given: IdempotencyKey | null,
  ): Promise<IdempotencyKey | null> {
    if (!viewer || given?.formerRequest === undefined) return given;
    return { ...given, request: await this.idempotency.requestOf(viewer.studentId, given) };
  }

  async forSubscription({ connectionParams, extra }: SubscriptionContext): Promise<RequestContext> {
    const { address, key: client } = this.clients.of(extra.request);
    const authorization = connectionParams?.authorization ?? extra.request.headers.authorization;
    return {
      req: extra.request,
      viewer: await this.viewerOf(authorization),
      address,
      client,
      userAgent: extra.request.headers['user-agent'] ?? '',
      acceptLanguage: extra.request.headers['accept-language'],
      correlationId: randomUUID(),
      isForeign: false,
      idempotencyKey: null,
      loaders: new RequestLoaders(),
      freshness: newFreshness(),
      commands: { given: 0 },
    };
  }
}
