import type {
  CounterIncrement,
  CounterTable,
  Key,
  ProjectedEvent,
  Row,
  RowChange,
  Table,
} from '../projection.js';
import { Turn } from '../turn.js';
import { storableText, storableValue } from './column-values.js';
import { folding } from './fold-error.js';
import type { RowCache, RowIdentity } from './row-cache.js';

interface TouchedRow {
  readonly key: Key;
  before: Row | undefined;
  after: Row | undefined;
}

export interface FoldOptions {
  readonly cache?: RowCache | undefined;
  /** By `performance.now()`. */
  readonly until?: number;
}

/** It takes longer than a transaction may be held up. */
export class LongFoldError extends Error {
  override readonly name = 'LongFoldError';
}

/** The part of a batch that falls on one table: which rows are needed, and what becomes of them. Pure. */
export class TableFold {
  readonly #table: Table;
  readonly #columns: readonly string[];
  readonly #touches: { readonly event: ProjectedEvent; readonly row: TouchedRow }[] = [];
  readonly #rows = new Map<RowIdentity, TouchedRow>();

  constructor(table: Table, events: readonly ProjectedEvent[]) {
    this.#table = table;
    this.#columns = Object.keys(table.columns);
    for (const event of events) this.#touch(event);
  }

  get name(): string {
    return this.#table.name;
  }

  /** The rows that have to be loaded before it can run: all but those of which the cache knows what is stored. */
  missing(cache?: RowCache): Key[] {
    const missing: Key[] = [];
    for (const [identity, row] of this.#rows) {
      if (cache?.knows(identity) === true) row.before = row.after = cache.get(identity);
      else missing.push(row.key);
    }
    return missing;
  }

  /**
   * Gives others their turn in between, however long it takes: leases are renewed on the same thread, and lost when it is busy for seconds.
   * @param stored those of the missing rows that exist, in any order
   * @throws LongFoldError beyond that time
   */
  async run(stored: readonly Row[], { cache, until = Infinity }: FoldOptions = {}): Promise<RowChange[]> {
    this.#take(stored);
    const turn = new Turn();
    for (const { event, row } of this.#touches) {
      folding(() => this.#step(event, row));
      if (performance.now() > until) throw new LongFoldError(this.name);
      if (turn.isOver) await turn.pass();
    }
    cache?.put(Array.from(this.#rows, ([identity, { after }]) => [identity, after] as const));
    return this.#changes();
  }

  /** From nothing, and in one go. */
  runAtOnce(): RowChange[] {
    for (const { event, row } of this.#touches) this.#step(event, row);
    return this.#changes();
  }

  #take(stored: readonly Row[]): void {
    for (const row of stored) {
      const touched = this.#rows.get(
        identityOf(this.#table.key.map((column) => row[column] as string | number)),
      );
      if (touched) touched.before = touched.after = row;
    }
  }

  #changes(): RowChange[] {
    return Array.from(this.#rows.values()).filter(({ before, after }) => before !== after);
  }

  #step(event: ProjectedEvent, row: TouchedRow): void {
    const folded = this.#table.fold(row.after, event, row.key);
    if (folded !== row.after) row.after = folded === undefined ? undefined : this.#storable(folded, row);
  }

  #touch(event: ProjectedEvent): void {
    const touched: TouchedRow[] = [];
    if (event.undecodable !== undefined) return this.#refuse(event, event.undecodable);
    for (const key of this.#table.keysOf(event)) {
      const row = this.#row(key.map((part) => (typeof part === 'string' ? storableText(part) : part)));
      // An event that names a row twice still happens to it once.
      if (touched.includes(row)) continue;
      touched.push(row);
      this.#touches.push({ event, row });
    }
  }

  /** Whom it concerns is told by its type, as far as that goes. */
  #refuse(event: ProjectedEvent, reason: string): void {
    let isConcerned = true;
    try {
      isConcerned = this.#table.keysOf(event).length > 0;
    } catch {
      // It looked into what is not as it should be.
    }
    if (isConcerned) throw new TypeError(`${event.type} cannot be decoded: ${reason}`);
  }

  #row(key: Key): TouchedRow {
    const identity = identityOf(key);
    const known = this.#rows.get(identity);
    if (known) return known;
    if (key.length !== this.#table.key.length)
      throw new TypeError(`a key of ${this.name} has the wrong length`);
    const row: TouchedRow = { key, before: undefined, after: undefined };
    this.#rows.set(identity, row);
    return row;
  }

  #storable(folded: Row, { key, after: previous }: TouchedRow): Row {
    const row: Record<string, Row[string]> = {};
    for (const column of this.#columns) {
      const value = folded[column];
      const definition = this.#table.columns[column];
      if (definition === undefined) continue;
      row[column] =
        previous !== undefined && value === previous[column] && value !== undefined
          ? value
          : storableValue(definition, `${this.name}.${column}`, value);
    }
    const stray = Object.keys(folded).find((column) => !(column in row));
    if (stray !== undefined) throw new TypeError(`table ${this.name} has no column ${stray}`);
    if (this.#table.key.some((column, index) => row[column] !== key[index])) {
      throw new TypeError(`a row of ${this.name} changed its key`);
    }
    return row;
  }
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
