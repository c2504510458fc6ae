import { createHash } from 'node:crypto';
import type { ApolloServerOptions, BaseContext } from '@apollo/server';
import type { DocumentNode } from 'graphql';

export interface KnownLimits {
  /** Characters of all documents together; read, each takes some hundred bytes a character. */
  readonly length: number;
  /** Of one: what the screens send is far shorter. */
  readonly longest: number;
}

const KNOWN_LIMITS: KnownLimits = { length: 128 * 1024, longest: 4 * 1024 };

const hashOf = (source: string): string => createHash('sha256').update(source).digest('hex');

/** Documents that were parsed and found valid, those that were asked for last: what everybody asks for is read once. */
export class KnownDocuments {
  private readonly documents = new Map<string, DocumentNode>();
  private length = 0;

  constructor(private readonly limits: KnownLimits = KNOWN_LIMITS) {}

  find(source: string): DocumentNode | undefined {
    return source.length > this.limits.longest ? undefined : this.ofHash(hashOf(source));
  }

  keep(source: string, document: DocumentNode): void {
    this.keepByHash(hashOf(source), document);
  }

  /** The same for Apollo, which looks by the hash, behind that of the schema. */
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

  private ofHash(hash: string): DocumentNode | undefined {
    const document = this.documents.get(hash);
    if (!document) return undefined;
    this.documents.delete(hash);
    this.documents.set(hash, document);
    return document;
  }

  private keepByHash(hash: string, document: DocumentNode): void {
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
