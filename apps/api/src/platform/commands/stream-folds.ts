import type { AnyAggregate, AnyDecider } from '@nimo/domain';
import type { JsonObject, StreamFold } from '@nimo/event-store';

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
