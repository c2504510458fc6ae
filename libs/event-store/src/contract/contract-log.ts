import type { Append, EventStore } from '../port.js';

/** Something not every store supports. A store without it gives the reason, and the tests assert the invariant in another way. */
export type Trait<T> = T | { readonly absentBecause: string };

export function isAbsent<T>(trait: Trait<T>): trait is { readonly absentBecause: string } {
  return typeof trait === 'object' && trait !== null && 'absentBecause' in trait;
}

/** The log under test. It need not be empty. */
export interface ContractLog {
  /** Opens the log like another process. */
  connect(): EventStore;

  readonly startsEmpty: Trait<true>;
  /** A new empty log per random sequence, opened by two processes. */
  readonly emptyLog: Trait<() => readonly [EventStore, EventStore]>;
  /** Number of random command sequences to run. */
  readonly sequences: number;
  /** Starts an append of one event that has its position, but stays uncommitted until settled. */
  readonly holdAppend: Trait<(streamId: string) => Promise<HeldAppend>>;
  /** Opens a write transaction elsewhere on the server. The returned function ends it. */
  readonly writeElsewhere: Trait<() => Promise<() => Promise<void>>>;
  readonly cutConnections: Trait<() => Promise<void>>;
  /** Appends such that the events are written but the response is lost. */
  readonly loseResponse: Trait<LoseResponse>;
  /** An event id occurs only once in the log. */
  readonly uniqueEventIds: Trait<true>;
  /** An outcome always tells whether the events existed before. */
  readonly reportsDuplicates: Trait<true>;
  /** Attempts to change or remove events with the log's own privileges. */
  readonly tamper: Trait<readonly (() => Promise<unknown>)[]>;

  drop(): Promise<void>;
}

export type LoseResponse = (store: EventStore, append: Append) => Promise<void>;

export interface HeldAppend {
  commit(): Promise<void>;
  rollback(): Promise<void>;
}
