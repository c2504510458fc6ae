import type { DomainEvent, EventMetadata } from '@nimo/domain';
import type * as engine from '@nimo/projection-engine';

type EventType = DomainEvent['type'];

/** An event of the product as a reactor gets it, of those types. */
export type ReactorEvent<Type extends EventType = EventType> = Extract<
  DomainEvent,
  { readonly type: Type }
> & {
  readonly id: string;
  readonly streamId: string;
  readonly metadata: EventMetadata;
};

/** One that handles events of those types: what it declares in `types` is what its `handle` is given. */
export type Reactor<Type extends EventType = EventType> = engine.Reactor<ReactorEvent<Type>>;
