import { createHash } from 'node:crypto';
import type { ApolloServerOptions, BaseContext } from '@apollo/server';
import { type DocumentNode, GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { WEB_DOCUMENTS, WEB_SUBSCRIPTIONS } from '../../../generated/web-documents.js';
import type { Settings } from '../../config/load-settings.js';
import { ApiError } from '../../errors/api-error.js';
import { toGraphqlError } from '../../errors/format-error.js';
import { SETTINGS } from '../../config/tokens.js';
import { assertLineLimit } from './untrusted-documents.js';
import { OtherVersionDocuments } from './other-versions.js';

type PersistedQueries = Exclude<ApolloServerOptions<BaseContext>['persistedQueries'], false | undefined>;

/** Document texts by id. */
export type DocumentsById = Readonly<Record<string, string>>;

export interface CacheLimits {
  /** Total characters of all untrusted documents; parsed, each character takes some hundred bytes. */
  readonly totalLength: number;
  /** Characters of one document. */
  readonly documentLength: number;
}

const CACHE_LIMITS: CacheLimits = { totalLength: 128 * 1024, documentLength: 4 * 1024 };

const hashOf = (source: string): string => createHash('sha256').update(source).digest('hex');

/** Apollo prefixes keys with the schema hash. */
const parseHash = (key: string): string => key.slice(key.lastIndexOf(':') + 1);

/**
 * Texts of trusted documents (the web app's and registered ones) by id, and parsed, valid documents: all trusted ones, and the most recently
 * used untrusted ones.
 */
export class KnownDocuments {
  private readonly texts: ReadonlyMap<string, string>;
  /** Ids by id and by hash, so that a document is recognised by its text too. */
  private readonly ids: ReadonlyMap<string, string>;
  private readonly maxTrustedLength: number;
  private readonly parsed = new Map<string, DocumentNode>();
  private readonly compilable = new WeakSet<DocumentNode>();
  private readonly untrusted: LRUCache<string, DocumentNode>;

  constructor(
    /** Documents of other programs, by hash. */
    readonly registered: DocumentsById = {},
    private readonly own: DocumentsById = { ...WEB_DOCUMENTS, ...WEB_SUBSCRIPTIONS },
    { totalLength, documentLength }: CacheLimits = CACHE_LIMITS,
  ) {
    this.texts = new Map([...Object.entries(own), ...Object.entries(registered)]);
    this.ids = new Map([
      ...Object.keys(registered).map((hash): [string, string] => [hash, hash]),
      ...Object.entries(own).flatMap(([id, text]): [string, string][] => [
        [id, id],
        [hashOf(text), id],
      ]),
    ]);
    this.maxTrustedLength = Math.max(0, ...[...this.texts.values()].map((text) => text.length));
    this.untrusted = new LRUCache({
      maxSize: totalLength,
      maxEntrySize: documentLength,
      sizeCalculation: ({ loc }) => loc?.source.body.length ?? Infinity,
    });
  }

  textOf(id: string): string | undefined {
    return this.texts.get(id);
  }

  /** Whether the text is verbatim a document of the web app or a registered one. */
  isTrusted(source: string): boolean {
    return source.length <= this.maxTrustedLength && this.ids.has(hashOf(source));
  }

  /** Only the web app's own documents: their number is fixed and none comes from a stranger. */
  mayCompile(document: DocumentNode): boolean {
    return this.compilable.has(document);
  }

  find(source: string): DocumentNode | undefined {
    return this.get(hashOf(source));
  }

  add(source: string, document: DocumentNode): void {
    this.cache(hashOf(source), document);
  }

  /** Apollo's document store; its keys are hashes or ids. */
  documentStore(): NonNullable<ApolloServerOptions<BaseContext>['documentStore']> {
    return {
      get: (key) => Promise.resolve(this.get(parseHash(key))),
      set: (key, document) => {
        this.cache(parseHash(key), document);
        return Promise.resolve();
      },
      delete: (key) => Promise.resolve(this.untrusted.delete(parseHash(key))),
    };
  }

  /** Apollo's read-only cache of persisted queries. @param others finds ids unknown here */
  persistedQueryCache(
    others: (id: string) => string | undefined = () => undefined,
  ): NonNullable<PersistedQueries['cache']> {
    return {
      get: (key) => Promise.resolve(this.textOf(parseHash(key)) ?? others(parseHash(key))),
      set: () => Promise.resolve(),
      delete: () => Promise.resolve(false),
    };
  }

  private get(hash: string): DocumentNode | undefined {
    const id = this.ids.get(hash);
    return id === undefined ? this.untrusted.get(hash) : this.parsed.get(id);
  }

  private cache(hash: string, document: DocumentNode): void {
    const id = this.ids.get(hash);
    if (id === undefined) {
      this.untrusted.set(hash, document);
      return;
    }
    this.parsed.set(id, document);
    if (id in this.own) this.compilable.add(document);
  }
}

/** A document id as Apollo clients send it. */
const PersistedQueryExtension = z.object({
  persistedQuery: z.object({ version: z.literal(1), sha256Hash: z.string() }),
});
const AnyPersistedQueryExtension = z.object({
  persistedQuery: z.unknown().refine((value) => value !== undefined),
});

interface SentDocument {
  readonly query?: unknown;
  readonly extensions?: unknown;
}

export interface AdmittedDocument {
  readonly text: string | undefined;
  /** Neither registered nor of the web app in any version: its shape is limited before execution. */
  readonly isUntrusted: boolean;
}

/** Decides by `GRAPHQL_DOCUMENTS` which documents are parsed. */
@Injectable()
export class DocumentAdmission {
  constructor(
    private readonly documents: KnownDocuments,
    private readonly versions: OtherVersionDocuments,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'graphqlDocuments'>,
  ) {}

  /**
   * @param isSignedIn called only when needed
   * @throws GraphQLError when the id is unknown, as after an upgrade (clients then send the text), or the caller may not use the document
   */
  async admit(
    { query, extensions }: SentDocument,
    isSignedIn: () => Promise<boolean>,
  ): Promise<AdmittedDocument> {
    const id = parseDocumentId(extensions);
    if (id !== null) {
      const hasText = query !== undefined && query !== null;
      const text = hasText ? undefined : (this.documents.textOf(id) ?? (await this.versions.textOf(id)));
      if (text === undefined) throw persistedQueryNotFound();
      return { text, isUntrusted: false };
    }
    if (typeof query !== 'string') return { text: undefined, isUntrusted: false };
    if (this.documents.isTrusted(query)) return { text: query, isUntrusted: false };
    const { graphqlDocuments } = this.settings;
    if (graphqlDocuments !== 'any') {
      if (await this.versions.has(query)) return { text: query, isUntrusted: false };
      if (graphqlDocuments === 'own' || !(await isSignedIn())) throw notRegistered();
    }
    assertLineLimit(query);
    return { text: query, isUntrusted: true };
  }
}

const RULE = 'DOCUMENT_NOT_REGISTERED';

/** Worded as Apollo's, which its clients recognise. */
const persistedQueryNotFound = (): GraphQLError =>
  new GraphQLError('PersistedQueryNotFound', {
    extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', rule: RULE, http: { status: 200 } },
  });

const notRegistered = (): GraphQLError =>
  toGraphqlError(
    new ApiError(
      'FORBIDDEN',
      'This server accepts only registered documents. To register yours, see "Registering documents" in the API reference.',
      { rule: RULE },
    ),
  );

/**
 * The id of the requested document; null when it was not requested by id.
 * @throws GraphQLError when the id is malformed
 */
function parseDocumentId(extensions: unknown): string | null {
  if (!AnyPersistedQueryExtension.safeParse(extensions).success) return null;
  const named = PersistedQueryExtension.safeParse(extensions).data;
  if (!named) throw persistedQueryNotFound();
  return named.persistedQuery.sha256Hash;
}
