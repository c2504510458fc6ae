import type { Append, EventStore } from '../port.js';

/** What a store has no notion of it must say, and why; the case then asserts the invariant behind it in another way. */
export type Trait<T> = T | { readonly absentBecause: string };

export function isAbsent<T>(trait: Trait<T>): trait is { readonly absentBecause: string } {
  return typeof trait === 'object' && trait !== null && 'absentBecause' in trait;
}

/** One log for the cases of a suite, which need not be empty. */
export interface ContractLog {
  /** As another process would open it. */
  connect(): EventStore;

  /** Nobody has written to it yet. */
  readonly startsEmpty: Trait<true>;
  /** Another log that nobody has written to, as two processes open it; for each random sequence its own. */
  readonly emptyLog: Trait<() => readonly [EventStore, EventStore]>;
  /** How many random sequences of commands it is asked. */
  readonly sequences: number;
  /** Starts an append of one event to the stream that has taken its place in the order, and is open until settled. */
  readonly holdAppend: Trait<(streamId: string) => Promise<HeldAppend>>;
  /** A write transaction elsewhere on the server, open until the function that is returned is called. */
  readonly writeElsewhere: Trait<() => Promise<() => Promise<void>>>;
  /** Cuts every connection to the log. */
  readonly cutConnections: Trait<() => Promise<void>>;
  /** Appends so that the events are written and the answer is lost; resolves when both are certain. */
  readonly loseAnswer: Trait<LoseAnswer>;
  /** Whether one event id can only be in one stream. */
  readonly uniqueEventIds: Trait<true>;
  /** Whether an answer always tells that the events were there before, whoever had written them. */
  readonly tellsDuplicates: Trait<true>;
  /** Whether an event can be changed or removed by somebody with the log's own rights. */
  readonly tamper: Trait<readonly (() => Promise<unknown>)[]>;

  drop(): Promise<void>;
}

export type LoseAnswer = (store: EventStore, append: Append) => Promise<void>;

export interface HeldAppend {
  commit(): Promise<void>;
  rollback(): Promise<void>;
}
