import type { Handler, Key, ProjectedEvent, Row, Table } from '../projection.js';

/** Undefined where events of that type do not concern the table. Types come from the log: they may be any word. */
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

/** The rows of the table that the event touches. */
export const keysOf = (table: Table, event: ProjectedEvent): readonly Key[] =>
  handlerOf(table, event.type)?.keys(event) ?? [];

/** The row after the event, which touches it. */
export function foldRow<R extends Row>(
  table: Table<R>,
  row: R | undefined,
  event: ProjectedEvent,
  key: Key,
): R | undefined {
  const handler = handlerOf(table, event.type);
  // A table's handlers make its own rows.
  return handler ? (folded(handler, row, event, key) as R | undefined) : row;
}

/** The types of all events that concern a table of the projection. Whatever else is in the log passes it by, decodable or not. */
export const eventTypesOf = <E extends ProjectedEvent>({
  tables,
}: {
  readonly tables: readonly Table<Row, E>[];
}): readonly E['type'][] => [...new Set(tables.flatMap(({ on }) => Object.keys(on)))].sort();
