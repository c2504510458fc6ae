import type DataLoader from 'dataloader';
import type { Viewer } from './viewer.js';
import type { ClientKey } from '../callers/client-address.js';
import type { Position } from '@nimo/event-store';
import type { ExecutionContext } from '@nestjs/common';
import { GqlExecutionContext } from '@nestjs/graphql';

/** Whether a response may predate the caller's own writes, and which of them are not visible yet. */
export interface Freshness {
  stale: boolean;
  /** Positions to reach, by projection. */
  readonly readAfter: Map<string, Position>;
}

/** The DataLoaders of one request, keyed by the class or symbol that owns them. */
export class RequestLoaders {
  private readonly loaders = new Map<object | symbol, unknown>();

  /** The loader of a kind, created on first use. */
  of<Key, Value>(kind: object | symbol, create: () => DataLoader<Key, Value>): DataLoader<Key, Value> {
    const existing = this.loaders.get(kind);
    // Sound while each kind is used with one `create`, which is why kinds are classes or symbols, not strings.
    if (existing) return existing as DataLoader<Key, Value>;
    const created = create();
    this.loaders.set(kind, created);
    return created;
  }
}

/** A client's idempotency key with a keyed hash of the request: document, operation and variables. */
export interface IdempotencyKey {
  readonly key: string;
  readonly requestHash: string;
  /** The hash under the previous hash key, during rotation. */
  readonly previousRequestHash?: string | undefined;
}

/** Request data for resolvers, the same over HTTP and WebSocket. */
export interface RequestContext {
  /** Named `req` because Nest otherwise copies the context for every request. */
  readonly req: object;
  readonly viewer: Viewer | null;
  /** For display; limits count by `client`. */
  readonly address: string;
  readonly client: ClientKey;
  readonly userAgent: string;
  readonly acceptLanguage?: string | undefined;
  /** Whether the client closed its connection: queued work is then dropped. */
  readonly isDisconnected?: () => boolean;
  readonly correlationId: string;
  /** The document is neither registered nor part of the web app. */
  readonly hasUntrustedDocument: boolean;
  readonly idempotencyKey: IdempotencyKey | null;
  /** The student must accept the terms of use before writing. */
  readonly mustAcceptTerms?: boolean;
  readonly loaders: RequestLoaders;
  /** Reported in `extensions.stale`. */
  readonly freshness: Freshness;
  /** Number of commands issued so far. */
  readonly commands: { count: number };
}

export const requestContextOf = (context: ExecutionContext): RequestContext =>
  GqlExecutionContext.create(context).getContext<RequestContext>();
