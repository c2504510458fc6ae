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
  folding,
} from '../projection.js';
import { TimeSlice } from '../scheduling.js';
import { isStorableAs, storableText, storableValue } from '../storage/column-values.js';
import { folded, handlerOf } from './handlers.js';
import { type RowBuffer, type RowIdentity, type TouchedRow, UNKNOWN } from './row-buffer.js';

/** While it is folded. */
type FoldedRow = { -readonly [Part in keyof TouchedRow]: TouchedRow[Part] };

interface Touch {
  readonly handler: Handler;
  readonly event: ProjectedEvent;
  readonly row: FoldedRow;
}

export interface FoldOptions {
  /** By `performance.now()`. */
  readonly until?: number;
  /** Shared by folds that run at the same time: otherwise each holds the event loop for one of its own. */
  readonly slice?: TimeSlice;
}

/** It takes longer than a transaction may be held up. */
export class LongFoldError extends Error {
  override readonly name = 'LongFoldError';
}

/** The part of a batch that falls on one table: which rows are needed, and what becomes of them. Pure. */
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

  /** The rows that have to be loaded before it can run: all but those that the buffer knows. */
  missing(buffer?: RowBuffer): Key[] {
    const missing: Key[] = [];
    for (const [identity, row] of this.rows) {
      const known = buffer ? buffer.look(identity) : UNKNOWN;
      if (known === UNKNOWN) missing.push(row.key);
      else row.before = row.after = known;
    }
    return missing;
  }

  /** After it ran: all rows that the events touched, changed or not. */
  get touched(): Iterable<TouchedRow> {
    return this.rows.values();
  }

  /**
   * Yields in between: leases are renewed on the same thread, and lost when it is busy for seconds.
   * @param stored those of the missing rows that exist, in any order
   * @throws LongFoldError beyond that time
   */
  async run(
    stored: readonly Row[],
    { until = Infinity, slice = new TimeSlice() }: FoldOptions = {},
  ): Promise<RowChange[]> {
    this.take(stored);
    for (const touch of this.touches) {
      folding(() => this.step(touch));
      if (!slice.isOver) continue;
      if (performance.now() > until) throw new LongFoldError(this.name);
      await slice.yield();
    }
    return this.changes();
  }

  /** From nothing, and in one go. */
  runAtOnce(): RowChange[] {
    for (const touch of this.touches) this.step(touch);
    return this.changes();
  }

  private take(stored: readonly Row[]): void {
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
      // An event that names a row twice still happens to it once.
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

  /** The row as it will be when it is loaded again. */
  private storable(folded: Row, { key, after: previous }: FoldedRow): Row {
    const row = this.isStorable(folded, key, previous) ? folded : this.madeStorable(folded, previous);
    if (this.table.key.some((column, index) => row[column] !== key[index])) {
      throw new TypeError(`a row of ${this.name} changed its key`);
    }
    return row;
  }

  /** Most rows are just as they will be loaded: looking costs less than a copy. */
  private isStorable(folded: Row, key: Key, previous: Row | undefined): boolean {
    for (const { name, definition, ofKey } of this.columns) {
      const value = folded[name];
      if (previous !== undefined && value === previous[name] && value !== undefined) continue;
      // The key's texts are looked at before.
      if (ofKey !== undefined && typeof value === 'string' && value === key[ofKey]) continue;
      if (!isStorableAs(definition, value)) return false;
    }
    return Object.keys(folded).length === this.columns.length;
  }

  private madeStorable(folded: Row, previous: Row | undefined): Row {
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
  /** Where it stands in the key; of texts alone. */
  readonly ofKey: number | undefined;
}

const columnsByTable = new WeakMap<Table, readonly TableColumn[]>();

function columnsOf(table: Table): readonly TableColumn[] {
  const known = columnsByTable.get(table);
  if (known) return known;
  const columns = Object.entries<Column>(table.columns).map(([name, definition]): TableColumn => {
    const place = definition.type === 'text' ? table.key.indexOf(name) : -1;
    return { name, definition, ofKey: place === -1 ? undefined : place };
  });
  columnsByTable.set(table, columns);
  return columns;
}

/** Most keys are storable as they are. */
function storableKey(key: Key): Key {
  const isStorable = key.every((part) => typeof part !== 'string' || storableText(part) === part);
  return isStorable ? key : key.map((part) => (typeof part === 'string' ? storableText(part) : part));
}

function identityOf(key: Key): RowIdentity {
  return key.length === 1 ? (key[0] ?? '') : key.join('\0');
}

/** All increments of a batch, added up by key; those that cancel out are gone. */
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
