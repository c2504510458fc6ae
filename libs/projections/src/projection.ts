import type * as engine from '@nimo/projection-engine';
import type { DomainEvent, EventMetadata, EventType } from '@nimo/domain';

export { typedColumn, onEach } from '@nimo/projection-engine';
export type {
  Column,
  Columns,
  ColumnType,
  ColumnValue,
  CounterIncrement,
  CounterTable,
  Handler,
  Key,
  Row,
  RowChange,
  RowOf,
} from '@nimo/projection-engine';

/** A domain event as passed to a fold. */
export type ProjectedEvent = DomainEvent & engine.Projected<EventMetadata>;

/** A projected event of one or more types. */
export type Projected<Type extends EventType> = engine.Typed<ProjectedEvent, Type>;

export type Table<R extends engine.Row = engine.Row> = engine.Table<R, ProjectedEvent>;
export type BatchEnd = engine.BatchEnd<ProjectedEvent>;
export type Projection = engine.Projection<ProjectedEvent>;
