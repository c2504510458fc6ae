import { createHash } from 'node:crypto';
import type { ApolloServerOptions, BaseContext } from '@apollo/server';
import type { DocumentNode } from 'graphql';
import { WEB_DOCUMENTS } from '../../generated/web-documents.js';
import type { Documents } from './registered-documents.js';

type PersistedQueries = Exclude<ApolloServerOptions<BaseContext>['persistedQueries'], false | undefined>;

export interface KnownLimits {
  /** Characters of all documents together; read, each takes some hundred bytes a character. */
  readonly length: number;
  /** Of one: what the screens send is far shorter. */
  readonly longest: number;
}

const KNOWN_LIMITS: KnownLimits = { length: 128 * 1024, longest: 4 * 1024 };

const hashOf = (source: string): string => createHash('sha256').update(source).digest('hex');

/**
 * Documents that were parsed and found valid: those of the web app and of registered programs, which are named by an id and kept, and of all
 * others those that were asked for last.
 */
export class KnownDocuments {
  private readonly documents = new Map<string, DocumentNode>();
  private length = 0;
  /** By id and by hash: whoever sends the text of such a document is served as well. */
  private readonly ids: ReadonlyMap<string, string>;
  private readonly ours = new Map<string, DocumentNode>();
  private readonly longestOfOurs: number;
  private readonly trusted = new WeakSet<DocumentNode>();

  constructor(
    private readonly limits: KnownLimits = KNOWN_LIMITS,
    private readonly texts: Documents = WEB_DOCUMENTS,
    /** Of other programs, by the hash of each. */
    readonly registered: Documents = {},
  ) {
    this.ids = new Map([
      ...Object.keys(registered).map((hash): [string, string] => [hash, hash]),
      ...Object.entries(texts).flatMap(([id, text]): [string, string][] => [
        [id, id],
        [hashOf(text), id],
      ]),
    ]);
    const known = [...Object.values(texts), ...Object.values(registered)];
    this.longestOfOurs = Math.max(0, ...known.map(({ length }) => length));
  }

  find(source: string): DocumentNode | undefined {
    const mayBeKnown = source.length <= this.limits.longest;
    return mayBeKnown ? this.ofHash(hashOf(source)) : undefined;
  }

  /** What the web app or a registered program calls by that id. */
  textOf(id: string): string | undefined {
    if (Object.hasOwn(this.registered, id)) return this.registered[id];
    return this.ids.get(id) === id ? this.texts[id] : undefined;
  }

  /** Whether that is, letter for letter, a document of the web app or of a registered program. */
  isOurs(source: string): boolean {
    return source.length <= this.longestOfOurs && this.ids.has(hashOf(source));
  }

  /** One of the web app's own: there are only so many of them, and none comes from a stranger. */
  isTrusted(document: DocumentNode): boolean {
    return this.trusted.has(document);
  }

  keep(source: string, document: DocumentNode): void {
    this.keepByHash(hashOf(source), document);
  }

  /** The same for Apollo, which looks by the hash or the id, behind the hash of the schema. */
  asStore(): NonNullable<ApolloServerOptions<BaseContext>['documentStore']> {
    const hashIn = (key: string): string => key.slice(key.lastIndexOf(':') + 1);
    return {
      get: (key) => Promise.resolve(this.ofHash(hashIn(key))),
      set: (key, document) => {
        this.keepByHash(hashIn(key), document);
        return Promise.resolve();
      },
      delete: (key) => {
        this.forget(hashIn(key));
        return Promise.resolve();
      },
    };
  }

  /** Where Apollo looks for the text of an id. Nobody adds to it. @param others what is found besides */
  asTexts(
    others: (id: string) => string | undefined = () => undefined,
  ): NonNullable<PersistedQueries['cache']> {
    const find = (id: string): string | undefined => this.textOf(id) ?? others(id);
    return {
      get: (key) => Promise.resolve(find(key.slice(key.lastIndexOf(':') + 1))),
      set: () => Promise.resolve(),
      delete: () => Promise.resolve(false),
    };
  }

  private ofHash(hash: string): DocumentNode | undefined {
    const id = this.ids.get(hash);
    if (id !== undefined) return this.ours.get(id);
    const document = this.documents.get(hash);
    if (!document) return undefined;
    this.documents.delete(hash);
    this.documents.set(hash, document);
    return document;
  }

  private keepByHash(hash: string, document: DocumentNode): void {
    const id = this.ids.get(hash);
    if (id !== undefined) {
      this.ours.set(id, document);
      if (id in this.texts) this.trusted.add(document);
      return;
    }
    if (lengthOf(document) > this.limits.longest) return;
    this.forget(hash);
    this.documents.set(hash, document);
    this.length += lengthOf(document);
    for (const oldest of this.documents.keys()) {
      if (this.length <= this.limits.length) return;
      this.forget(oldest);
    }
  }

  private forget(hash: string): void {
    const document = this.documents.get(hash);
    if (!document) return;
    this.documents.delete(hash);
    this.length -= lengthOf(document);
  }
}

const lengthOf = ({ loc }: DocumentNode): number => loc?.source.body.length ?? Infinity;
