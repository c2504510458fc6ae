import type { DomainEvent } from '@nimo/domain';
import type { LoadedStreams, StreamBases } from '@nimo/event-store';
import { foldOf } from './stream-folds.js';

/** The streams a decision was given, as states. */
export class DomainStreams {
  constructor(
    private readonly loaded: LoadedStreams,
    private readonly bases: StreamBases = new Map(),
  ) {}

  /** When the last event of a stream happened that is meant; null before the first. Which are meant can be said where no snapshot is kept. */
  lastMoment(streamId: string, isMeant: (type: string) => boolean = () => true): string | null {
    const loaded = this.loaded.get(streamId)?.findLast(({ type }) => isMeant(type));
    const last = loaded ?? this.bases.get(streamId)?.last;
    const at = last?.metadata['occurredAt'];
    return typeof at === 'string' ? at : null;
  }

  /** Of the last event of a stream; null before the first. */
  revision(streamId: string): number | null {
    return (this.loaded.get(streamId)?.at(-1) ?? this.bases.get(streamId)?.last)?.revision ?? null;
  }

  /** The state of a stream that the command named. */
  // The event's type is inferred from `evolve`, which folds the events of one aggregate.
  // eslint-disable-next-line @typescript-eslint/no-unnecessary-type-parameters -- inference needs it
  state<State, Event extends DomainEvent>(
    streamId: string,
    initial: State,
    evolve: (state: State, event: Event) => State,
  ): State {
    const events = this.loaded.get(streamId);
    if (!events) throw new TypeError(`stream ${streamId} was not loaded`);
    const base = this.bases.get(streamId);
    if (base && foldOf(streamId)?.evolve !== evolve)
      throw new TypeError(`stream ${streamId} is asked for more than its snapshot tells: load it as a whole`);
    // The codec lifted every event to today's shape, and a stream holds the events of its aggregate alone.
    return events.reduce(
      (state, { type, data }) => evolve(state, { type, data } as unknown as Event),
      base ? (base.state as State) : initial,
    );
  }
}
