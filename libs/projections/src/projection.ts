import type { DomainEvent, EventMetadata } from '@nimo/domain';

/** A product event as a fold sees it. `ordinal` is the count of product events up to this one, the same in every store. */
export type ProjectedEvent = DomainEvent & {
  readonly id: string;
  readonly streamId: string;
  readonly ordinal: number;
  readonly metadata: EventMetadata;
  /** Why it could not be decoded: no fold gets to see it, and a table that it concerns stops there. */
  readonly undecodable?: string;
};

/** In memory: text string, bigint and integer number, timestamptz ISO string in UTC with milliseconds, jsonb a JSON value. */
export type ColumnType = 'text' | 'bigint' | 'integer' | 'boolean' | 'timestamptz' | 'jsonb' | 'text[]';
export type ColumnValue = string | number | boolean | null | readonly string[] | object;
export type Row = Readonly<Record<string, ColumnValue>>;

export interface Column {
  readonly type: ColumnType;
  readonly nullable?: boolean;
}

/** A key is the values of the key columns, in their order. */
export type Key = readonly (string | number)[];

/**
 * A pure fold from events to the rows of one table. Names are snake_case in SQL and the same in the row.
 * Both functions are total: an event that does not concern the table has no keys.
 */
export interface Table<R extends Row = Row> {
  /** Becomes the view `read.<name>`; the generation's own table is `read.<name>__g<generation>`. */
  readonly name: string;
  readonly columns: { readonly [C in keyof R & string]: Column };
  readonly key: readonly (keyof R & string)[];
  /** `{table}` stands for the generation's table and `{suffix}` for what keeps index names apart. */
  readonly indexes?: readonly string[];
  /** Which rows the event touches. */
  keysOf(event: ProjectedEvent): readonly Key[];
  /** The row after the event; undefined deletes it (or leaves it absent). Returning the same object writes nothing. */
  fold(row: R | undefined, event: ProjectedEvent, key: Key): R | undefined;
}

/** What one batch did to one row of a table, for tables that are derived from others. */
export interface RowChange<R extends Row = Row> {
  readonly key: Key;
  readonly before: R | undefined;
  readonly after: R | undefined;
}

/** Rows of counters, changed by increments that are a pure function of a row's change in a source table. */
export interface CounterTable {
  readonly name: string;
  /** Text columns that make the key. */
  readonly key: readonly string[];
  /** bigint columns, 0 unless incremented. A row whose counters are all 0 is removed. */
  readonly counters: readonly string[];
  readonly indexes?: readonly string[];
  /** Name of the table of the same projection whose changes are counted. */
  readonly source: string;
  increments(change: RowChange): readonly CounterIncrement[];
}

export interface CounterIncrement {
  readonly key: readonly string[];
  readonly by: Readonly<Record<string, number>>;
}

/**
 * The set-based end of a batch, in its transaction: for rows that depend on many others (scores on facts). A batch that changed
 * no row of the projection's tables has no end: what it must notice has to be a row.
 */
export interface BatchEnd {
  /** Tables that the step owns, made and switched with the projection's others. */
  readonly tables: readonly Pick<Table, 'name' | 'columns' | 'key' | 'indexes'>[];
  /**
   * @param changes by table name, all rows that the batch changed
   * @param sql runs a statement in the batch's transaction; `{name}` of any table of the projection becomes this generation's table
   */
  run(
    changes: ReadonlyMap<string, readonly RowChange[]>,
    sql: (text: string, values?: readonly unknown[]) => Promise<Row[]>,
    batch: { readonly events: readonly ProjectedEvent[]; readonly rebuilding: boolean },
  ): Promise<void>;
}

export interface Projection {
  readonly name: string;
  /** What it is for, to a maintainer. */
  readonly purpose: string;
  /** Raised when a table's shape or a fold changes: the worker then builds a new generation beside the old one. */
  readonly version: number;
  readonly tables: readonly Table[];
  readonly counters?: readonly CounterTable[];
  readonly batchEnd?: BatchEnd;
}
