import type * as engine from '@nimo/projection-engine';
import type { DomainEvent, EventMetadata, EventType } from '@nimo/domain';

export { holding, onEach } from '@nimo/projection-engine';
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

/** An event of the product as a fold sees it. */
export type ProjectedEvent = DomainEvent & engine.Projected<EventMetadata>;

/** One of a type, or of some. */
export type Projected<Type extends EventType> = engine.Typed<ProjectedEvent, Type>;

export type Table<R extends engine.Row = engine.Row> = engine.Table<R, ProjectedEvent>;
export type BatchEnd = engine.BatchEnd<ProjectedEvent>;
export type Projection = engine.Projection<ProjectedEvent>;
