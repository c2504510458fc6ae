import type { Handler, Key, ProjectedEvent, Row, Table } from '../projection.js';
import { kindOfError } from '@nimo/event-store';

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

/** Thrown by code of a projection, and so by the same event again. */
export class FoldError extends Error {
  override readonly name = 'FoldError';
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Runs code of a projection, or what puts its rows into the form in which they are stored. */
export function folding<Result>(fold: () => Result): Result {
  try {
    return fold();
  } catch (error) {
    throw error instanceof FoldError ? error : new FoldError(error);
  }
}

/** Only then an event is to blame. Everything else may pass, and is tried again. */
export const isOfTheEvent = (error: unknown): boolean =>
  error instanceof FoldError || kindOfError(error) === 'data';

/** What the fold itself threw. */
export const causeOf = (error: unknown): unknown => (error instanceof FoldError ? error.cause : error);
