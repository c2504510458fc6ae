import { type Aggregate, type AnyAggregate, type AnyDecider, type DomainEvent, fold } from '@nimo/domain';
import type { JsonObject, LoadedStreams, StreamBases, StreamFold } from '@nimo/event-store';

/** Who folds each of the streams that a command reads. */
export type Deciders = ReadonlyMap<string, AnyDecider>;

export const decidersOf = (aggregates: readonly AnyAggregate[]): Deciders =>
  new Map(aggregates.map(({ streamId, decider }) => [streamId, decider]));

/** By the stream's name; undefined for all that is read as a whole. */
export const foldOf =
  (deciders: Deciders) =>
  (streamId: string): StreamFold | undefined => {
    const decider = deciders.get(streamId);
    return decider && snapshotFold(decider);
  };

/** Of a decider that keeps snapshots. */
export const snapshotFold = ({ snapshot, initial, evolve }: AnyDecider): StreamFold | undefined =>
  snapshot === undefined
    ? undefined
    : {
        shape: snapshot,
        fold: (state, events) =>
          // States are plain JSON, which a test shows, and a stream holds the events of its aggregate alone.
          events.reduce<unknown>(
            (reached, { type, data }) => evolve(reached as never, { type, data } as never),
            state ?? initial,
          ) as JsonObject | undefined,
      };

/** The aggregates that a decision was given, by what the log says of them. */
export class DomainStreams {
  constructor(
    private readonly deciders: Deciders,
    private readonly loaded: LoadedStreams,
    private readonly bases: StreamBases = new Map(),
  ) {}

  /** The state of an aggregate that the command named. */
  state<State, Event extends DomainEvent>({ decider, streamId }: Aggregate<State, Event>): State {
    const events = this.loaded.get(streamId);
    // What a snapshot tells to one decider says nothing to another.
    if (!events || this.deciders.get(streamId) !== decider)
      throw new TypeError(`stream ${streamId} was not loaded for this decider`);
    const base = this.bases.get(streamId);
    // The codec lifted every event to today's shape, and a stream holds the events of its aggregate alone.
    const own = events.map(({ type, data }) => ({ type, data }) as unknown as Event);
    return fold(decider, own, base ? (base.state as State) : decider.initial);
  }

  /** When the last event of an aggregate happened that is meant; null before the first. Which are meant can be said where no snapshot is kept. */
  lastMoment({ streamId }: AnyAggregate, isMeant: (type: string) => boolean = () => true): string | null {
    const loaded = this.loaded.get(streamId)?.findLast(({ type }) => isMeant(type));
    const last = loaded ?? this.bases.get(streamId)?.last;
    const at = last?.metadata['occurredAt'];
    return typeof at === 'string' ? at : null;
  }

  /** Of the last event of an aggregate; null before the first. */
  revision({ streamId }: AnyAggregate): number | null {
    return (this.loaded.get(streamId)?.at(-1) ?? this.bases.get(streamId)?.last)?.revision ?? null;
  }

  /** Whether an event of an aggregate that is read as a whole comes from the command. */
  isFrom({ streamId }: AnyAggregate, commandId: string): boolean {
    return this.loaded.get(streamId)?.some(({ metadata }) => metadata['commandId'] === commandId) ?? false;
  }
}
