import type { AnyEvent } from './vocabulary.js';

/** One kind of aggregate. Its decisions are functions of its state that return its events. */
export interface Decider<State, Event extends AnyEvent, Id extends readonly string[] = [id: string]> {
  /** Name of the stream that holds all events of the aggregate, and no others. */
  readonly stream: (...id: Id) => string;
  /** State before the first event. */
  readonly initial: State;
  readonly evolve: (state: State, event: Event) => State;
  /**
   * Name and version of the stored snapshot, for streams that a single student can make long. The state must be plain JSON and refer
   * to people by ID only. Raise the number when `evolve` changes.
   */
  readonly snapshot?: string;
}

/** A decider of any state, events and IDs. */
export interface AnyDecider {
  readonly initial: unknown;
  readonly evolve: (state: never, event: never) => unknown;
  readonly snapshot?: string;
}

/** One aggregate that a command decides on or reads. */
export interface Aggregate<State, Event extends AnyEvent> {
  readonly decider: Pick<Decider<State, Event>, 'initial' | 'evolve' | 'snapshot'>;
  readonly streamId: string;
}

/** An aggregate of any kind. */
export interface AnyAggregate {
  readonly decider: AnyDecider;
  readonly streamId: string;
}

export const aggregate = <State, Event extends AnyEvent, Id extends readonly string[]>(
  decider: Decider<State, Event, Id>,
  ...id: Id
): Aggregate<State, Event> => ({ decider, streamId: decider.stream(...id) });

/** State after the events, starting from the initial state by default. */
export const fold = <State, Event extends AnyEvent>(
  { initial, evolve }: Aggregate<State, Event>['decider'],
  events: readonly NoInfer<Event>[],
  from: State = initial,
): State => events.reduce(evolve, from);
