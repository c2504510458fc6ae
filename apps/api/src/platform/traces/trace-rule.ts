import type { ConfidentialKind, PostRef } from '@nimo/domain';
import type { Viewer } from '../auth/viewer.js';

export const TRACE_RULE = Symbol('nimo:trace-rule');

/** What was looked at, as far as the log may tell it. */
export interface ReadScope {
  /** None: of no space, or of all. */
  readonly spaceIds?: readonly string[];
  /** More than a few are left out. */
  readonly studentIds?: readonly string[];
  readonly post?: PostRef | null;
  readonly caseId?: string | null;
  /** What narrows the read; it is hashed. The place in a list is no part of it, so that going through it is one read. */
  readonly filter?: Readonly<Record<string, unknown>> | null;
  /** Null where nobody knows before it is sent. */
  readonly rows: number | null;
}

export interface AnsweredRead<Args, Result> {
  readonly args: Args;
  readonly viewer: Viewer;
  readonly result: Result;
}

export interface TracedRule {
  readonly what: ConfidentialKind;
  readonly scopeOf: (read: AnsweredRead<never, never>) => ReadScope | null;
  /** Each is told, however soon after the one before: copies that leave the product. */
  readonly isCopy: boolean;
}

/** What an operation of staff says of its traces. */
export type TraceRule = TracedRule | { readonly noTraceBecause: string };
