import type { DomainEvent } from '@nimo/domain';
import type { LoadedStreams } from '@nimo/event-store';

/** The streams a decision was given, as states. */
export class DomainStreams {
  constructor(private readonly loaded: LoadedStreams) {}

  /** When the last event of a stream happened; null before the first. */
  lastMoment(streamId: string): string | null {
    const at = this.loaded.get(streamId)?.at(-1)?.metadata['occurredAt'];
    return typeof at === 'string' ? at : null;
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
    // The codec lifted every event to today's shape, and a stream holds the events of its aggregate alone.
    return events.reduce(
      (state, { type, data }) => evolve(state, { type, data } as unknown as Event),
      initial,
    );
  }
}
