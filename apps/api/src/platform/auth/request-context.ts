import type DataLoader from 'dataloader';
import type { Viewer } from './viewer.js';
import type { ClientKey } from '../callers/client-address.js';
import type { Position } from '@nimo/event-store';
import type { ExecutionContext } from '@nestjs/common';
import { GqlExecutionContext } from '@nestjs/graphql';

/** Whether an answer may be older than its caller's own writes, and what the caller still has to see. */
export interface Freshness {
  stale: boolean;
  /** Positions that the projections have to pass, by projection. */
  readonly readAfter: Map<string, Position>;
}

/** The loaders of one request; a kind is named by the class or symbol that owns it. */
export class RequestLoaders {
  private readonly loaders = new Map<object | symbol, unknown>();

  /** The request's loader of that kind, made by `create` when it is first asked for. */
  of<Key, Value>(kind: object | symbol, create: () => DataLoader<Key, Value>): DataLoader<Key, Value> {
    const known = this.loaders.get(kind);
    // Sound as long as a kind is used with one `create`, which is why kinds are classes or symbols and not strings.
    if (known) return known as DataLoader<Key, Value>;
    const made = create();
    this.loaders.set(kind, made);
    return made;
  }
}

/** What a client says a request by, and by a keyed hash all that it said under it: operation, target and what is to be written. */
export interface IdempotencyKey {
  readonly key: string;
  readonly request: string;
  /** As the request was called under the former key of the hashes, while there is one. */
  readonly formerRequest?: string | undefined;
}

/** What a resolver knows of the request, the same over HTTP and WebSocket. */
export interface RequestContext {
  /** Kept under this name as Nest otherwise copies the context for every request. */
  readonly req: object;
  readonly viewer: Viewer | null;
  /** To be shown; limits count `client`. */
  readonly address: string;
  readonly client: ClientKey;
  readonly userAgent: string;
  readonly acceptLanguage?: string | undefined;
  /** Whether the client closed its connection: what waits for its turn is then not begun. */
  readonly isGone?: () => boolean;
  readonly correlationId: string;
  /** Its document is neither the web app's own nor registered. */
  readonly isForeign: boolean;
  readonly idempotencyKey: IdempotencyKey | null;
  /** The terms of use changed: nothing is written before they are accepted. */
  readonly mustAcceptTerms?: boolean;
  readonly loaders: RequestLoaders;
  /** The answer may be older than the caller's own write; told in `extensions.stale`. */
  readonly freshness: Freshness;
  readonly commands: { given: number };
}

export const requestContextOf = (context: ExecutionContext): RequestContext =>
  GqlExecutionContext.create(context).getContext<RequestContext>();
