import type { AnyEvent } from './vocabulary.js';

/** A kind of aggregate as one value; its decisions are functions of its state that answer with its events. */
export interface Decider<State, Event extends AnyEvent, Id extends readonly string[] = [id: string]> {
  /** The name of the stream that holds the events of the aggregate of that id, and no others. */
  readonly stream: (...id: Id) => string;
  /** Before the first event. */
  readonly initial: State;
  readonly evolve: (state: State, event: Event) => State;
  /**
   * Where one student can make a stream long, what it came to is kept between two commands under this name: the state is then plain
   * JSON and names nobody but by id. Whoever changes what an event makes of the state changes the number in it, too.
   */
  readonly snapshot?: string;
}

/** A decider of whichever state, events and ids. */
export interface AnyDecider {
  readonly initial: unknown;
  readonly evolve: (state: never, event: never) => unknown;
  readonly snapshot?: string;
}

/** One aggregate: what a command decides upon, or looks at. */
export interface Aggregate<State, Event extends AnyEvent> {
  readonly decider: Pick<Decider<State, Event>, 'initial' | 'evolve' | 'snapshot'>;
  readonly streamId: string;
}

/** An aggregate of whichever kind. */
export interface AnyAggregate {
  readonly decider: AnyDecider;
  readonly streamId: string;
}

/** The aggregate of that id; two of the same id are the same aggregate. */
export const aggregate = <State, Event extends AnyEvent, Id extends readonly string[]>(
  decider: Decider<State, Event, Id>,
  ...id: Id
): Aggregate<State, Event> => ({ decider, streamId: decider.stream(...id) });

/** What events make of an aggregate's state, which is that before its first event unless said otherwise. */
export const fold = <State, Event extends AnyEvent>(
  { initial, evolve }: Aggregate<State, Event>['decider'],
  events: readonly NoInfer<Event>[],
  from: State = initial,
): State => events.reduce(evolve, from);
