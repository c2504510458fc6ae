import type { CounterTable, ProjectedEvent, Row, Table } from '../projection.js';
import { sumIncrements, TableFold } from './fold-batch.js';

/** The rows that events give, from nothing and without a database: the same fold as that of the runner. */
export function foldInMemory<R extends Row>(table: Table<R>, events: readonly ProjectedEvent[]): R[] {
  // Rows come out as the table's own fold made them.
  return changesOf(table as unknown as Table, events).flatMap(({ after }) => (after ? [after as R] : []));
}

/** What a counter over that table comes to, by its key's parts. */
export function countInMemory(
  counter: CounterTable,
  source: Table,
  events: readonly ProjectedEvent[],
): ReadonlyMap<string, Readonly<Record<string, number>>> {
  const sums = sumIncrements(counter, changesOf(source, events));
  return new Map(sums.map(({ key, by }) => [key.join('\0'), by]));
}

const changesOf = (table: Table, events: readonly ProjectedEvent[]) =>
  new TableFold(table, events).runAtOnce();
