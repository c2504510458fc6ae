import type { EventStore, Position, RecordedEvent } from '@nimo/event-store';
import type { Pool } from 'pg';
import { sumIncrements, TableFold } from '../folding/fold-batch.js';
import { eventTypesOf, handlerOf, keysOf } from '../folding/handlers.js';
import type { CounterTable, Key, ProjectedEvent, Projection, Row, RowChange, Table } from '../projection.js';
import { shapeHash } from '../storage/table-shape.js';
import type { ProjectionWaiter } from '../waiting/projection-waiter.js';
import { projectedBatch } from '../worker/projected-batch.js';
import { FreshStatement, type StoredRows } from './fresh-statement.js';
import { RecentEvents } from './recent-events.js';

/** Rows of one table, and of a counter over it. */
export interface FreshTable {
  readonly projection: Projection;
  readonly table: Table;
  /** Its key is the first columns of the table's. */
  readonly counter: CounterTable;
}

export interface FreshWish {
  /** The key of the counter's row. */
  readonly counted: Key;
  /** Of the table's rows. */
  readonly keys: readonly Key[];
}

export interface FreshRows {
  /** Those of the keys that exist. */
  readonly rows: readonly Row[];
  /** Of the counter's row; 0 where there is none. */
  readonly counts: Readonly<Record<string, number>>;
}

export interface FreshReaderOptions {
  readonly pool: Pool;
  readonly store: Pick<EventStore, 'readAll'>;
  readonly waiter: Pick<ProjectionWaiter, 'standingOf'>;
  /** All that is read by this reader. */
  readonly tables: readonly FreshTable[];
  /** See `RecentEvents`. */
  readonly atMost?: number;
  /** The log could not be read, or an event could not be folded: whoever asks waits for the worker, which tells of it. */
  readonly onError: (error: unknown) => void;
}

/**
 * Reads rows as they are after the caller's own event, whether or not a worker has come that far: what is stored and where its generation
 * is, in one statement, and then the events between, folded by the same table. No more is written than before.
 */
export class FreshReader {
  readonly #options: FreshReaderOptions;
  readonly #events: RecentEvents;
  readonly #statements: ReadonlyMap<FreshTable, FreshStatement>;
  /** Of events, found once for all who read meanwhile. */
  readonly #keys: ReadonlyMap<Table, WeakMap<RecordedEvent, readonly Key[]>>;
  readonly #shapes: ReadonlyMap<Projection, string>;

  constructor(options: FreshReaderOptions) {
    const { store, tables, atMost } = options;
    tables.forEach(assertCounts);
    this.#options = options;
    this.#events = new RecentEvents({
      store,
      types: new Set(eventTypesOf({ tables: tables.map(({ table }) => table) })),
      ...(atMost !== undefined && { atMost }),
    });
    this.#statements = new Map(tables.map((fresh) => [fresh, new FreshStatement(fresh)]));
    this.#keys = new Map(tables.map(({ table }) => [table, new WeakMap<RecordedEvent, readonly Key[]>()]));
    this.#shapes = new Map(tables.map(({ projection }) => [projection, shapeHash(projection)]));
  }

  /**
   * @param position of the last event that must be in them
   * @returns the rows after all events up to that position at least, all of them at the same place in the log. Undefined where only a
   * worker can tell: it is far behind, stopped, of other code, or about to be replaced by a generation that is further behind
   */
  async read(fresh: FreshTable, position: Position, wanted: FreshWish): Promise<FreshRows | undefined> {
    const standing = this.#options.waiter.standingOf(fresh.projection.name);
    if (!standing || standing.isStopped) return undefined;
    try {
      const reached = standing.position;
      const recent = reached >= position ? [] : await this.#events.between(reached, position);
      if (!recent) return undefined;
      const touching = this.#touching(fresh, recent, wanted);
      const keys = keysToRead(touching, wanted);
      const stored = await this.#statementOf(fresh).read(this.#options.pool, wanted.counted, keys);
      if (!stored || !this.#isOfThisCode(fresh, stored)) return undefined;
      // A generation that was switched to may be behind the one before it.
      if ((stored.position ?? '') < reached) return undefined;
      return await freshRows(fresh, stored, eventsAfter(stored, recent, touching), wanted);
    } catch (error) {
      this.#options.onError(error);
      return undefined;
    }
  }

  /** Those of the events that touch what is wanted, by their places. */
  #touching(fresh: FreshTable, events: readonly RecordedEvent[], wanted: FreshWish): readonly Touching[] {
    return events.flatMap((event, index) => {
      const keys = this.#keysIn(fresh.table, event);
      return keys.some((key) => isMeant(key, wanted)) ? { event, index, keys } : [];
    });
  }

  #keysIn(table: Table, event: RecordedEvent): readonly Key[] {
    if (handlerOf(table, event.type) === undefined) return NO_KEYS;
    const known = this.#keys.get(table)?.get(event);
    if (known) return known;
    if (event.undecodable !== undefined) throw new TypeError(`${event.type} cannot be decoded`);
    // Where it comes to stand is not known before the statement, and no key depends on it.
    const keys = keysOf(table, { ...event, ordinal: 0 });
    this.#keys.get(table)?.set(event, keys);
    return keys;
  }

  #isOfThisCode({ projection }: FreshTable, { isStopped, shapeHash: stored }: StoredRows): boolean {
    return !isStopped && stored === this.#shapes.get(projection);
  }

  #statementOf(fresh: FreshTable): FreshStatement {
    const statement = this.#statements.get(fresh);
    if (!statement) throw new TypeError(`the reader was not made for ${fresh.table.name}`);
    return statement;
  }
}

/** Otherwise it is not known which rows of the table count in a row of the counter. */
function assertCounts({ table, counter }: FreshTable): void {
  if (counter.source !== table.name || counter.key.some((column, index) => column !== table.key[index]))
    throw new TypeError(
      `${counter.name} does not count rows of ${table.name} by the first columns of their key`,
    );
}

const NO_KEYS: readonly Key[] = [];

interface Touching {
  readonly event: RecordedEvent;
  /** Among the recent ones. */
  readonly index: number;
  readonly keys: readonly Key[];
}

const identityOf = (key: Key): string => key.join('\0');

const isEqual = (left: Key, right: Key): boolean => left.every((part, index) => part === right[index]);

/** Whether that row of the table is wanted, or counts in the counter's row. */
const isMeant = (key: Key, { counted, keys }: FreshWish): boolean =>
  isEqual(counted, key) || keys.some((wanted) => isEqual(wanted, key));

/** Of all rows that must be known to fold those events over what is wanted. */
function keysToRead(touching: readonly Touching[], wanted: FreshWish): readonly Key[] {
  const all = [...wanted.keys, ...touching.flatMap(({ keys }) => keys)];
  return [...new Map(all.map((key) => [identityOf(key), key])).values()];
}

/** Those that are not in what is stored, as the worker will fold them. */
function eventsAfter(
  { position, ordinal, skipped }: StoredRows,
  recent: readonly RecordedEvent[],
  touching: readonly Touching[],
): readonly ProjectedEvent[] {
  const first = recent.findLastIndex((event) => event.position <= (position ?? '')) + 1;
  const left = new Set(skipped.map(({ eventId }) => eventId));
  return touching
    .filter(({ index }) => index >= first)
    .flatMap(
      ({ event, index }) =>
        projectedBatch({ position, ordinal: ordinal + index - first }, [event], left).events,
    );
}

async function freshRows(
  { table, counter }: FreshTable,
  stored: StoredRows,
  events: readonly ProjectedEvent[],
  wanted: FreshWish,
): Promise<FreshRows> {
  const changes = await new TableFold(table, events).run(stored.rows);
  return {
    rows: rowsAfter(table, stored.rows, changes, wanted),
    counts: countsAfter(counter, stored, changes, wanted),
  };
}

function rowsAfter(
  { key }: Table,
  stored: readonly Row[],
  changes: readonly RowChange[],
  { keys }: FreshWish,
): readonly Row[] {
  const rows = new Map<string, Row | undefined>();
  for (const row of stored) rows.set(identityOf(key.map((column) => row[column] as string | number)), row);
  for (const change of changes) rows.set(identityOf(change.key), change.after);
  return keys.map((wanted) => rows.get(identityOf(wanted))).filter((row) => row !== undefined);
}

function countsAfter(
  counter: CounterTable,
  { counts }: StoredRows,
  changes: readonly RowChange[],
  { counted }: FreshWish,
): Readonly<Record<string, number>> {
  const own = sumIncrements(counter, changes).find(({ key }) => identityOf(key) === identityOf(counted));
  return Object.fromEntries(
    counter.counters.map((name) => [name, (counts[name] ?? 0) + (own?.by[name] ?? 0)]),
  );
}
