import type { DomainEvent, EventMetadata } from '@nimo/domain';
import type * as engine from '@nimo/projection-engine';

type EventType = DomainEvent['type'];

/** A domain event of the given types, as passed to a reactor. */
export type ReactorEvent<Type extends EventType = EventType> = Extract<
  DomainEvent,
  { readonly type: Type }
> & {
  readonly id: string;
  readonly streamId: string;
  readonly metadata: EventMetadata;
};

/** A reactor whose `handle` receives the event types it declares in `types`. */
export type Reactor<Type extends EventType = EventType> = engine.Reactor<ReactorEvent<Type>>;
