import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { Context as WebSocketContext } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';
import { z } from 'zod';
import { newFreshness, READ_AFTER_HEADER, parseReadAfter } from '../commands/freshness.js';
import { IdempotencyKeys } from '../commands/idempotency-keys.js';
import { Terms } from '../commands/terms.js';
import { SessionReader } from '../auth/session-reader.js';
import { bearerToken } from '../auth/viewer.js';
import { ClaimHasher } from '../personal-data/key-uses.js';
import { runAsCaller, ClientAddresses } from '../callers/client-address.js';
import { DocumentAdmission } from './documents/known-documents.js';
import { RequestLoaders, type IdempotencyKey, type RequestContext } from '../auth/request-context.js';

const RequestBody = z.object({
  query: z.unknown().optional(),
  operationName: z.unknown().optional(),
  variables: z.unknown().optional(),
  extensions: z.unknown().optional(),
});
type RequestBody = z.infer<typeof RequestBody>;

/** Parameters of `connection_init`. */
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
    const body = RequestBody.safeParse(request.body).data;
    let finding: Promise<RequestContext['viewer']> | undefined;
    const userAgent = request.headers['user-agent'] ?? '';
    const acceptLanguage = request.headers['accept-language'];
    const caller = { address, userAgent, acceptLanguage };
    const findViewer = (): Promise<RequestContext['viewer']> =>
      (finding ??= runAsCaller(caller, () => this.viewerOf(authorization)));
    const { text, isUntrusted: hasUntrustedDocument } = await this.documents.admit(
      body ?? {},
      async () => (await findViewer()) !== null,
    );
    const viewer = await findViewer();
    return {
      req: request,
      viewer,
      ...caller,
      client,
      isDisconnected: () => request.raw.socket.destroyed,
      correlationId: request.id,
      hasUntrustedDocument,
      idempotencyKey: await this.knownKey(viewer, this.keyOf(request, body, text)),
      mustAcceptTerms: viewer !== null && (await this.terms.mustAccept(viewer.studentId)),
      loaders: new RequestLoaders(),
      freshness: newFreshness(parseReadAfter(request.headers[READ_AFTER_HEADER])),
      commands: { count: 0 },
    };
  }

  private async viewerOf(authorization: unknown): Promise<RequestContext['viewer']> {
    return typeof authorization === 'string' ? this.sessions.viewerOf(bearerToken(authorization)) : null;
  }

  private keyOf(
    { headers }: FastifyRequest,
    body: RequestBody | undefined,
    text: string | undefined,
  ): IdempotencyKey | null {
    const key = headers['idempotency-key'];
    if (typeof key !== 'string' || !body) return null;
    // Equal whether the document came by text or by id. Hashed with our key, since variables may hold a password.
    const content = JSON.stringify([text, body.operationName, body.variables]);
    return {
      key,
      requestHash: this.hasher.hashSecret('idempotent request', content).toString('hex'),
      previousRequestHash: this.hasher
        .hashSecretWithPreviousKey('idempotent request', content)
        ?.toString('hex'),
    };
  }

  private async knownKey(
    viewer: RequestContext['viewer'],
    key: IdempotencyKey | null,
  ): Promise<IdempotencyKey | null> {
    if (!viewer || key?.previousRequestHash === undefined) return key;
    return { ...key, requestHash: await this.idempotency.effectiveRequestHash(viewer.studentId, key) };
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
      hasUntrustedDocument: false,
      idempotencyKey: null,
      loaders: new RequestLoaders(),
      freshness: newFreshness(),
      commands: { count: 0 },
    };
  }
}
