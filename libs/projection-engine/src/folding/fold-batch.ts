import {
  type Column,
  type CounterIncrement,
  type CounterTable,
  type Handler,
  type Key,
  type ProjectedEvent,
  type Row,
  type RowChange,
  type Table,
  wrapFoldErrors,
} from '../projection.js';
import { TimeSlice } from '../scheduling.js';
import { isStorableAs, storableText, storableValue } from '../storage/column-values.js';
import { folded, handlerOf } from './handlers.js';
import { type RowBuffer, type RowIdentity, type TouchedRow, UNKNOWN } from './row-buffer.js';

type FoldedRow = { -readonly [Part in keyof TouchedRow]: TouchedRow[Part] };

interface Touch {
  readonly handler: Handler;
  readonly event: ProjectedEvent;
  readonly row: FoldedRow;
}

export interface FoldOptions {
  /** Deadline by `performance.now()`. */
  readonly until?: number;
  /** Shared by concurrent folds; otherwise each would hold the event loop for a slice of its own. */
  readonly slice?: TimeSlice;
}

/** The fold takes longer than its transaction may stay open. */
export class LongFoldError extends Error {
  override readonly name = 'LongFoldError';
}

/** Folds the events of a batch into one table, without I/O. */
export class TableFold {
  private readonly table: Table;
  private readonly columns: readonly TableColumn[];
  private readonly touches: Touch[] = [];
  private readonly rows = new Map<RowIdentity, FoldedRow>();

  constructor(table: Table, events: readonly ProjectedEvent[]) {
    this.table = table;
    this.columns = columnsOf(table);
    for (const event of events) this.touch(event);
  }

  get name(): string {
    return this.table.name;
  }

  /** Keys of the rows to load before `run`: all touched rows that are not in the buffer. */
  missing(buffer?: RowBuffer): Key[] {
    const missing: Key[] = [];
    for (const [identity, row] of this.rows) {
      const known = buffer ? buffer.get(identity) : UNKNOWN;
      if (known === UNKNOWN) missing.push(row.key);
      else row.before = row.after = known;
    }
    return missing;
  }

  /** All rows touched by the events, changed or not. Read it after `run`. */
  get touched(): Iterable<TouchedRow> {
    return this.rows.values();
  }

  /**
   * Yields regularly, because leases are renewed on the same thread and expire if it is busy for seconds.
   * @param stored the missing rows that exist, in any order
   * @throws LongFoldError after the deadline
   */
  async run(
    stored: readonly Row[],
    { until = Infinity, slice = new TimeSlice() }: FoldOptions = {},
  ): Promise<RowChange[]> {
    this.setStored(stored);
    for (const touch of this.touches) {
      wrapFoldErrors(() => this.step(touch));
      if (!slice.isOver) continue;
      if (performance.now() > until) throw new LongFoldError(this.name);
      await slice.yield();
    }
    return this.changes();
  }

  /** Folds from empty rows without yielding. */
  runSync(): RowChange[] {
    for (const touch of this.touches) this.step(touch);
    return this.changes();
  }

  private setStored(stored: readonly Row[]): void {
    for (const row of stored) {
      const touched = this.rows.get(
        identityOf(this.table.key.map((column) => row[column] as string | number)),
      );
      if (touched) touched.before = touched.after = row;
    }
  }

  private changes(): RowChange[] {
    return Array.from(this.rows.values()).filter(({ before, after }) => before !== after);
  }

  private step({ handler, event, row }: Touch): void {
    const after = folded(handler, row.after, event, row.key);
    if (after !== row.after) row.after = after === undefined ? undefined : this.storable(after, row);
  }

  private touch(event: ProjectedEvent): void {
    const handler = handlerOf(this.table, event.type);
    if (!handler) return;
    if (event.undecodable !== undefined)
      throw new TypeError(`${event.type} cannot be decoded: ${event.undecodable}`);
    const keys = handler.keys(event);
    const first = this.touches.length;
    for (const key of keys) {
      const row = this.row(storableKey(key));
      // An event that names a row twice applies to it once.
      if (keys.length > 1 && this.touches.slice(first).some((touch) => touch.row === row)) continue;
      this.touches.push({ handler, event, row });
    }
  }

  private row(key: Key): FoldedRow {
    const identity = identityOf(key);
    const known = this.rows.get(identity);
    if (known) return known;
    if (key.length !== this.table.key.length)
      throw new TypeError(`a key of ${this.name} has the wrong length`);
    const row: FoldedRow = { identity, key, before: undefined, after: undefined, bytes: 0 };
    this.rows.set(identity, row);
    return row;
  }

  /** The row as it will be when loaded again. */
  private storable(folded: Row, { key, after: previous }: FoldedRow): Row {
    const row = this.isStorable(folded, key, previous) ? folded : this.makeStorable(folded, previous);
    if (this.table.key.some((column, index) => row[column] !== key[index])) {
      throw new TypeError(`a row of ${this.name} changed its key`);
    }
    return row;
  }

  /** Most rows need no conversion, and checking is cheaper than copying. */
  private isStorable(folded: Row, key: Key, previous: Row | undefined): boolean {
    for (const { name, definition, keyIndex } of this.columns) {
      const value = folded[name];
      if (previous !== undefined && value === previous[name] && value !== undefined) continue;
      // Text parts of keys are already storable.
      if (keyIndex !== undefined && typeof value === 'string' && value === key[keyIndex]) continue;
      if (!isStorableAs(definition, value)) return false;
    }
    return Object.keys(folded).length === this.columns.length;
  }

  private makeStorable(folded: Row, previous: Row | undefined): Row {
    const row: Record<string, Row[string]> = {};
    for (const { name, definition } of this.columns) {
      const value = folded[name];
      row[name] =
        previous !== undefined && value === previous[name] && value !== undefined
          ? value
          : storableValue(definition, `${this.name}.${name}`, value);
    }
    const stray = Object.keys(folded).find((column) => !(column in row));
    if (stray !== undefined) throw new TypeError(`table ${this.name} has no column ${stray}`);
    return row;
  }
}

interface TableColumn {
  readonly name: string;
  readonly definition: Column;
  /** Index in the key, for text columns only. */
  readonly keyIndex: number | undefined;
}

const columnsByTable = new WeakMap<Table, readonly TableColumn[]>();

function columnsOf(table: Table): readonly TableColumn[] {
  const known = columnsByTable.get(table);
  if (known) return known;
  const columns = Object.entries<Column>(table.columns).map(([name, definition]): TableColumn => {
    const index = definition.type === 'text' ? table.key.indexOf(name) : -1;
    return { name, definition, keyIndex: index === -1 ? undefined : index };
  });
  columnsByTable.set(table, columns);
  return columns;
}

/** Copies the key only if it needs conversion. */
function storableKey(key: Key): Key {
  const isStorable = key.every((part) => typeof part !== 'string' || storableText(part) === part);
  return isStorable ? key : key.map((part) => (typeof part === 'string' ? storableText(part) : part));
}

function identityOf(key: Key): RowIdentity {
  return key.length === 1 ? (key[0] ?? '') : key.join('\0');
}

/** The increments of a batch summed by key, without sums of zero. */
export function sumIncrements(counter: CounterTable, changes: readonly RowChange[]): CounterIncrement[] {
  const sums = new Map<string, { key: readonly string[]; by: Record<string, number> }>();
  for (const change of changes) {
    for (const { key, by } of counter.increments(change)) {
      const identity = key.join('\0');
      const sum = sums.get(identity) ?? { key, by: {} };
      sums.set(identity, sum);
      for (const [column, step] of Object.entries(by)) {
        if (!counter.counters.includes(column))
          throw new TypeError(`${counter.name} has no counter ${column}`);
        sum.by[column] = (sum.by[column] ?? 0) + step;
      }
    }
  }
  return Array.from(sums.values()).filter(({ by }) => Object.values(by).some((step) => step !== 0));
}

/** Folds events into rows without a database, exactly as a rebuild would. */
export function foldInMemory<R extends Row>(table: Table<R>, events: readonly ProjectedEvent[]): R[] {
  return changesOf(table as unknown as Table, events).flatMap(({ after }) => (after ? [after as R] : []));
}

/** Counter values without a database, by key parts joined with NUL. */
export function countInMemory(
  counter: CounterTable,
  source: Table,
  events: readonly ProjectedEvent[],
): ReadonlyMap<string, Readonly<Record<string, number>>> {
  const sums = sumIncrements(counter, changesOf(source, events));
  return new Map(sums.map(({ key, by }) => [key.join('\0'), by]));
}

const changesOf = (table: Table, events: readonly ProjectedEvent[]) => new TableFold(table, events).runSync();
