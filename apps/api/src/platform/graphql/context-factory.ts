import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context as WebSocketContext } from 'graphql-ws';
import type { Extra } from 'graphql-ws/use/ws';
import { GraphQLError } from 'graphql';
import { z } from 'zod';
import { IdempotencyKeys } from '../commands/idempotency-keys.js';
import { Terms } from '../commands/terms.js';
import { SessionReader } from '../auth/session-reader.js';
import { bearerOf } from '../auth/session-token.js';
import { ApiError } from '../errors/api-error.js';
import { ClaimHasher } from '../personal-data/claim-hash.js';
import type { Settings } from '../config/load-settings.js';
import { SETTINGS } from '../runtime/tokens.js';
import { Turns } from '../runtime/turns.js';
import { whenGone } from '../runtime/when-gone.js';
import { ClientAddresses } from '../web/client-address.js';
import { asGraphql } from './as-graphql.js';
import { problemOfDocument } from './document-shape.js';
import { KnownDocuments } from './known-documents.js';
import { OtherVersions } from './other-versions.js';
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
  /** Answered only where a setting says so. */
  readonly isForeign: boolean;
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
    private readonly idempotency: IdempotencyKeys,
    private readonly terms: Terms,
    private readonly documents: KnownDocuments,
    private readonly versions: OtherVersions,
    private readonly turns: Turns,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'graphqlDocuments'>,
  ) {}

  /** Comes back when the document may be read, which is to be begun at once. */
  async forRequest(request: FastifyRequest, reply: FastifyReply): Promise<RequestContext> {
    const { authorization } = request.headers;
    const { address, key: client } = this.clients.of(request.raw);
    const asked = Asked.safeParse(request.body).data;
    const { text, isRead, isForeign } = await this.documentOf(asked);
    if (isForeign) this.assertMayAsk(authorization !== undefined);
    const unread = isRead ? undefined : text;
    const problem = unread === undefined ? undefined : problemOfDocument(unread);
    if (problem) throw problem;
    const viewer = authorization === undefined ? null : await this.sessions.viewerOf(bearerOf(authorization));
    if (isForeign) this.assertMayAsk(viewer !== null);
    if (unread !== undefined) await this.turnOf(viewer?.studentId ?? client, unread, reply);
    return {
      req: request,
      response: reply.raw,
      viewer,
      address,
      client,
      userAgent: request.headers['user-agent'] ?? '',
      correlationId: request.id,
      idempotencyKey: await this.knownKey(viewer, this.keyOf(request, asked, text)),
      mustAcceptTerms: viewer !== null && (await this.terms.mustAccept(viewer.studentId)),
      loaders: new RequestLoaders(),
      freshness: { stale: false },
      commands: { given: 0 },
    };
  }

  /**
   * The text that is asked for, and whether it was parsed and validated before; those of the web app count as if they were.
   * @throws GraphQLError where it is named by an id that is not known here, as after a change of the version; clients then send the text
   */
  private async documentOf({ query, extensions }: Asked = {}): Promise<GivenDocument> {
    const named = namedIn(extensions);
    if (named === null) {
      const text = typeof query === 'string' ? query : undefined;
      const isRead = text === undefined || this.documents.find(text) !== undefined;
      return { text, isRead, isForeign: text !== undefined && (await this.isForeign(text)) };
    }
    const isTextGiven = query !== undefined && query !== null;
    if (isTextGiven) throw notKnown();
    const known = this.documents.textOf(named);
    const text = known ?? (await this.versions.textOf(named));
    if (text === undefined) throw notKnown();
    return { text, isRead: known !== undefined, isForeign: false };
  }

  private async isForeign(text: string): Promise<boolean> {
    if (this.settings.graphqlDocuments === 'any' || this.documents.isOurs(text)) return false;
    return !(await this.versions.knows(text));
  }

  /** @throws GraphQLError where nobody like the caller sends documents that are neither the web app's nor registered */
  private assertMayAsk(isSignedIn: boolean): void {
    if (this.settings.graphqlDocuments === 'own' || !isSignedIn) throw notRegistered();
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

const RULE = 'DOCUMENT_NOT_REGISTERED';

/** As Apollo says it, and as its clients understand it. */
export const notKnown = (): GraphQLError =>
  new GraphQLError('PersistedQueryNotFound', {
    extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', rule: RULE, http: { status: 200 } },
  });

/** To whoever sends a document of their own where only known ones are answered. */
export function notRegistered(): GraphQLError {
  const error = asGraphql(
    new ApiError(
      'FORBIDDEN',
      'Only registered documents are answered here. To register yours, see "Registering documents" in the API reference.',
      { rule: RULE },
    ),
  );
  if (error instanceof GraphQLError) return error;
  throw error;
}

/**
 * The id by which a document is named, null where none is.
 * @throws GraphQLError where it is named in a way that nobody understands
 */
export function namedIn(extensions: unknown): string | null {
  if (extensions === undefined || !NamesId.safeParse(extensions).success) return null;
  const named = ById.safeParse(extensions).data;
  if (!named) throw notKnown();
  return named.persistedQuery.sha256Hash;
}
