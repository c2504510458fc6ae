import { type Aggregate, type AnyAggregate, type AnyDecider, type DomainEvent, fold } from '@nimo/domain';
import type { JsonObject, LoadedStreams, StreamBases, StreamFold } from '@nimo/event-store';

/** The decider of each stream a command reads, by stream id. */
export type Deciders = ReadonlyMap<string, AnyDecider>;

export const decidersByStream = (aggregates: readonly AnyAggregate[]): Deciders =>
  new Map(aggregates.map(({ streamId, decider }) => [streamId, decider]));

/** Returns the fold of a stream id; undefined for streams read in full. */
export const foldOf =
  (deciders: Deciders) =>
  (streamId: string): StreamFold | undefined => {
    const decider = deciders.get(streamId);
    return decider && snapshotFold(decider);
  };

/** The fold of a decider; undefined when it keeps no snapshots. */
export const snapshotFold = ({ snapshot, initial, evolve }: AnyDecider): StreamFold | undefined =>
  snapshot === undefined
    ? undefined
    : {
        shape: snapshot,
        fold: (state, events) =>
          // A test proves that states are plain JSON. A stream holds only events of its aggregate.
          events.reduce<unknown>(
            (reached, { type, data }) => evolve(reached as never, { type, data } as never),
            state ?? initial,
          ) as JsonObject | undefined,
      };

/** The aggregates loaded for a decision. */
export class DomainStreams {
  constructor(
    private readonly deciders: Deciders,
    private readonly loaded: LoadedStreams,
    /** Time of the command. */
    readonly now: string,
    private readonly bases: StreamBases = new Map(),
  ) {}

  /** @throws TypeError when the aggregate was not loaded with this decider */
  state<State, Event extends DomainEvent>({ decider, streamId }: Aggregate<State, Event>): State {
    const events = this.loaded.get(streamId);
    // A snapshot of one decider is meaningless to another.
    if (!events || this.deciders.get(streamId) !== decider)
      throw new TypeError(`stream ${streamId} was not loaded for this decider`);
    const base = this.bases.get(streamId);
    // The codec upcast every event, and a stream holds only events of its aggregate.
    const ownEvents = events.map(({ type, data }) => ({ type, data }) as unknown as Event);
    return fold(decider, ownEvents, base ? (base.state as State) : decider.initial);
  }

  /** Time of the aggregate's last event that matches; null without one. Filter only aggregates without snapshots. */
  lastEventTime({ streamId }: AnyAggregate, isMeant: (type: string) => boolean = () => true): string | null {
    const loaded = this.loaded.get(streamId)?.findLast(({ type }) => isMeant(type));
    const last = loaded ?? this.bases.get(streamId)?.last;
    const at = last?.metadata['occurredAt'];
    return typeof at === 'string' ? at : null;
  }

  /** Revision of the aggregate's last event; null before the first. */
  revision({ streamId }: AnyAggregate): number | null {
    return (this.loaded.get(streamId)?.at(-1) ?? this.bases.get(streamId)?.last)?.revision ?? null;
  }

  /** Whether the command produced one of the aggregate's events. Only for aggregates read in full. */
  hasEventFrom({ streamId }: AnyAggregate, commandId: string): boolean {
    return this.loaded.get(streamId)?.some(({ metadata }) => metadata['commandId'] === commandId) ?? false;
  }
}
