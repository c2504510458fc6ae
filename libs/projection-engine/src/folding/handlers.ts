import type { Handler, Key, ProjectedEvent, Row, Table } from '../projection.js';

/** Undefined if events of the type do not affect the table. Types come from the log, so they can be any string. */
export const handlerOf = ({ on }: Pick<Table, 'on'>, type: string): Handler | undefined =>
  Object.hasOwn(on, type) ? on[type] : undefined;

export function folded(
  handler: Handler,
  row: Row | undefined,
  event: ProjectedEvent,
  key: Key,
): Row | undefined {
  if (handler.fold) return handler.fold(row, event, key);
  return row && handler.change(row, event, key);
}

/** Keys of the rows that the event touches. */
export const keysOf = (table: Table, event: ProjectedEvent): readonly Key[] =>
  handlerOf(table, event.type)?.keys(event) ?? [];

/** The row after an event that touches it. */
export function foldRow<R extends Row>(
  table: Table<R>,
  row: R | undefined,
  event: ProjectedEvent,
  key: Key,
): R | undefined {
  const handler = handlerOf(table, event.type);
  return handler ? (folded(handler, row, event, key) as R | undefined) : row;
}

/** Event types handled by any table of the projection, sorted. Other events need not even be decodable. */
export const eventTypesOf = <E extends ProjectedEvent>({
  tables,
}: {
  readonly tables: readonly Table<Row, E>[];
}): readonly E['type'][] => [...new Set(tables.flatMap(({ on }) => Object.keys(on)))].sort();
