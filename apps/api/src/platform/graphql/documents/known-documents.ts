import { createHash } from 'node:crypto';
import type { ApolloServerOptions, BaseContext } from '@apollo/server';
import type { DocumentNode } from 'graphql';
import { LRUCache } from 'lru-cache';
import { WEB_DOCUMENTS, WEB_SUBSCRIPTIONS } from '../../../generated/web-documents.js';

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
