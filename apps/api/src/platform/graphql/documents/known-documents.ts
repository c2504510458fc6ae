import { createHash } from 'node:crypto';
import type { ApolloServerOptions, BaseContext } from '@apollo/server';
import { type DocumentNode, GraphQLError } from 'graphql';
import { LRUCache } from 'lru-cache';
import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import { WEB_DOCUMENTS, WEB_SUBSCRIPTIONS } from '../../../generated/web-documents.js';
import type { Settings } from '../../config/load-settings.js';
import { ApiError } from '../../errors/api-error.js';
import { asGraphql } from '../../errors/format-error.js';
import { SETTINGS } from '../../config/tokens.js';
import { assertFewLines } from './foreign-documents.js';
import { OtherVersions } from './other-versions.js';

type PersistedQueries = Exclude<ApolloServerOptions<BaseContext>['persistedQueries'], false | undefined>;

/** Texts by their ids. */
export type Documents = Readonly<Record<string, string>>;

export interface CacheLimits {
  /** Characters of all foreign documents together; parsed, each takes some hundred bytes a character. */
  readonly length: number;
  /** Characters of one: what the screens send is far shorter. */
  readonly longest: number;
}

const CACHE_LIMITS: CacheLimits = { length: 128 * 1024, longest: 4 * 1024 };

const hashOf = (source: string): string => createHash('sha256').update(source).digest('hex');

/** Apollo puts the hash of the schema in front. */
const hashIn = (key: string): string => key.slice(key.lastIndexOf(':') + 1);

/**
 * Texts of the web app's own and of registered documents, by id, and all documents that were parsed and found valid: the former are kept,
 * of foreign ones those that were sent last.
 */
export class KnownDocuments {
  private readonly texts: ReadonlyMap<string, string>;
  /** By id and by hash, so that the text of such a document is known as well. */
  private readonly ids: ReadonlyMap<string, string>;
  private readonly longest: number;
  private readonly parsed = new Map<string, DocumentNode>();
  private readonly compilable = new WeakSet<DocumentNode>();
  private readonly foreign: LRUCache<string, DocumentNode>;

  constructor(
    /** Of other programs, by the hash of each. */
    readonly registered: Documents = {},
    private readonly own: Documents = { ...WEB_DOCUMENTS, ...WEB_SUBSCRIPTIONS },
    { length, longest }: CacheLimits = CACHE_LIMITS,
  ) {
    this.texts = new Map([...Object.entries(own), ...Object.entries(registered)]);
    this.ids = new Map([
      ...Object.keys(registered).map((hash): [string, string] => [hash, hash]),
      ...Object.entries(own).flatMap(([id, text]): [string, string][] => [
        [id, id],
        [hashOf(text), id],
      ]),
    ]);
    this.longest = Math.max(0, ...[...this.texts.values()].map((text) => text.length));
    this.foreign = new LRUCache({
      maxSize: length,
      maxEntrySize: longest,
      sizeCalculation: ({ loc }) => loc?.source.body.length ?? Infinity,
    });
  }

  textOf(id: string): string | undefined {
    return this.texts.get(id);
  }

  /** Whether it is a document of the web app or a registered one, letter for letter. */
  isOurs(source: string): boolean {
    return source.length <= this.longest && this.ids.has(hashOf(source));
  }

  /** Only the web app's own: there are only so many of them, and none comes from a stranger. */
  mayCompile(document: DocumentNode): boolean {
    return this.compilable.has(document);
  }

  find(source: string): DocumentNode | undefined {
    return this.get(hashOf(source));
  }

  keep(source: string, document: DocumentNode): void {
    this.set(hashOf(source), document);
  }

  /** The same for Apollo, which asks by the hash or the id. */
  asStore(): NonNullable<ApolloServerOptions<BaseContext>['documentStore']> {
    return {
      get: (key) => Promise.resolve(this.get(hashIn(key))),
      set: (key, document) => {
        this.set(hashIn(key), document);
        return Promise.resolve();
      },
      delete: (key) => Promise.resolve(this.foreign.delete(hashIn(key))),
    };
  }

  /** Where Apollo looks for the text of an id. Nobody adds to it. @param others finds ids that are not known here */
  asTexts(
    others: (id: string) => string | undefined = () => undefined,
  ): NonNullable<PersistedQueries['cache']> {
    return {
      get: (key) => Promise.resolve(this.textOf(hashIn(key)) ?? others(hashIn(key))),
      set: () => Promise.resolve(),
      delete: () => Promise.resolve(false),
    };
  }

  private get(hash: string): DocumentNode | undefined {
    const id = this.ids.get(hash);
    return id === undefined ? this.foreign.get(hash) : this.parsed.get(id);
  }

  private set(hash: string, document: DocumentNode): void {
    const id = this.ids.get(hash);
    if (id === undefined) {
      this.foreign.set(hash, document);
      return;
    }
    this.parsed.set(id, document);
    if (id in this.own) this.compilable.add(document);
  }
}

/** A document by its id, as Apollo's clients send it. */
const ById = z.object({ persistedQuery: z.object({ version: z.literal(1), sha256Hash: z.string() }) });
const NamesId = z.object({ persistedQuery: z.unknown().refine((value) => value !== undefined) });

interface SentDocument {
  readonly query?: unknown;
  readonly extensions?: unknown;
}

export interface AdmittedDocument {
  readonly text: string | undefined;
  /** Neither the web app's own, in any version, nor registered: its shape is bounded before it is executed. */
  readonly isForeign: boolean;
}

/** Decides by `GRAPHQL_DOCUMENTS` whose documents are parsed at all. */
@Injectable()
export class DocumentAdmission {
  constructor(
    private readonly documents: KnownDocuments,
    private readonly versions: OtherVersions,
    @Inject(SETTINGS) private readonly settings: Pick<Settings, 'graphqlDocuments'>,
  ) {}

  /**
   * @param isSignedIn is asked only where it matters
   * @throws GraphQLError where the id is unknown, as after a change of the version (clients then send the text), or the document is not
   * answered to the caller
   */
  async admit(
    { query, extensions }: SentDocument,
    isSignedIn: () => Promise<boolean>,
  ): Promise<AdmittedDocument> {
    const id = idIn(extensions);
    if (id !== null) {
      const isTextGiven = query !== undefined && query !== null;
      const text = isTextGiven ? undefined : (this.documents.textOf(id) ?? (await this.versions.textOf(id)));
      if (text === undefined) throw notKnown();
      return { text, isForeign: false };
    }
    if (typeof query !== 'string') return { text: undefined, isForeign: false };
    if (this.documents.isOurs(query)) return { text: query, isForeign: false };
    const { graphqlDocuments } = this.settings;
    if (graphqlDocuments !== 'any') {
      if (await this.versions.knows(query)) return { text: query, isForeign: false };
      if (graphqlDocuments === 'own' || !(await isSignedIn())) throw notRegistered();
    }
    assertFewLines(query);
    return { text: query, isForeign: true };
  }
}

const RULE = 'DOCUMENT_NOT_REGISTERED';

/** As Apollo says it, and as its clients understand it. */
const notKnown = (): GraphQLError =>
  new GraphQLError('PersistedQueryNotFound', {
    extensions: { code: 'PERSISTED_QUERY_NOT_FOUND', rule: RULE, http: { status: 200 } },
  });

const notRegistered = (): GraphQLError =>
  asGraphql(
    new ApiError(
      'FORBIDDEN',
      'Only registered documents are answered here. To register yours, see "Registering documents" in the API reference.',
      { rule: RULE },
    ),
  );

/**
 * The id by which a document is named, null where none is.
 * @throws GraphQLError where it is named in a way that nobody understands
 */
function idIn(extensions: unknown): string | null {
  if (!NamesId.safeParse(extensions).success) return null;
  const named = ById.safeParse(extensions).data;
  if (!named) throw notKnown();
  return named.persistedQuery.sha256Hash;
}
