import { kindOfError } from '@nimo/event-store';

/** Log fields of an event, as folds see them. `ordinal` counts the events up to and including this one and is the same in every store. */
export interface Projected<Metadata = unknown> {
  readonly id: string;
  readonly streamId: string;
  readonly ordinal: number;
  readonly metadata: Metadata;
  /** Why decoding failed. No fold sees the event, and a projection that handles its type stops there. */
  readonly undecodable?: string;
}

/** An event of any product; each product narrows it to the union of its own events. */
export type ProjectedEvent = Projected & { readonly type: string; readonly data: object };

/** In memory: text is a string, bigint and integer are numbers, timestamptz is an ISO string in UTC with milliseconds, jsonb is a JSON value. */
export type ColumnType = 'text' | 'bigint' | 'integer' | 'boolean' | 'timestamptz' | 'jsonb' | 'text[]';
export type ColumnValue = string | number | boolean | null | readonly string[] | object;
export type Row = Readonly<Record<string, ColumnValue>>;

export interface Column {
  readonly type: ColumnType;
  readonly nullable?: boolean;
}

/** Columns by name, in table order. Names are snake_case, both in SQL and in the row. */
export type Columns = Readonly<Record<string, Column>>;

interface ValueOf extends Record<ColumnType, ColumnValue> {
  readonly text: string;
  readonly bigint: number;
  readonly integer: number;
  readonly boolean: boolean;
  readonly timestamptz: string;
  readonly jsonb: object;
  readonly 'text[]': readonly string[];
}

/** Exists only at compile time. */
declare const valueType: unique symbol;

export interface ColumnOf<Value extends string | object> extends Column {
  readonly [valueType]: Value;
}

/** A column with a narrower type than SQL can express, such as `<readonly Block[]>('jsonb')` or `<'UP' | 'DOWN'>('text')`. */
export const typedColumn = <Value extends string | object>(type: Value extends string ? 'text' : 'jsonb') =>
  ({ type }) as Column as ColumnOf<Value>;

type ValueIn<C extends Column> = C extends { readonly [valueType]: infer Value } ? Value : ValueOf[C['type']];

/** The row type of a table with these columns. */
export type RowOf<C extends Columns> = {
  readonly [Name in keyof C]: ValueIn<C[Name]> | (C[Name] extends { readonly nullable: true } ? null : never);
};

/** Values of the key columns, in order. */
export type Key = readonly (string | number)[];

interface Keyed<E extends ProjectedEvent> {
  /** Keys of the rows that the event touches, if any. */
  keys(event: E): readonly Key[];
}

/** Folds the event into a row that may not exist yet. */
interface Folding<R extends Row, E extends ProjectedEvent> extends Keyed<E> {
  /** @returns the row after the event; undefined deletes it or leaves it absent, and the same object writes nothing */
  fold(row: R | undefined, event: E, key: Key): R | undefined;
  readonly change?: never;
}

/** Folds the event into an existing row and never creates one. */
interface Updating<R extends Row, E extends ProjectedEvent> extends Keyed<E> {
  /** Same as `fold`. */
  change(row: R, event: E, key: Key): R | undefined;
  readonly fold?: never;
}

/** The effect of one event type on a table. Pure and total: an event that does not affect the table has no keys. */
export type Handler<R extends Row = Row, E extends ProjectedEvent = ProjectedEvent> =
  | Folding<R, E>
  | Updating<R, E>;

/** Events of the given types. */
export type Typed<E extends ProjectedEvent, Type extends E['type']> = Extract<E, { readonly type: Type }>;

/** A pure fold from events to the rows of one table. */
export interface Table<R extends Row = Row, E extends ProjectedEvent = ProjectedEvent> {
  /** Becomes the view `read.<name>`; the generation's own table is `read.<name>__g<generation>`. */
  readonly name: string;
  readonly columns: { readonly [C in keyof R & string]: Column };
  readonly key: readonly (keyof R & string)[];
  /** `create index` statements. `{table}` is the generation's table, `{suffix}` makes index names unique. */
  readonly indexes?: readonly string[];
  /** Handlers by event type. Other events do not affect the table. */
  readonly on: { readonly [Type in E['type']]?: Handler<R, Typed<E, Type>> };
}

/** Uses one handler for several event types. @returns entries for a table's `on` */
export const onEach = <Type extends string, Each>(
  types: readonly Type[],
  handler: Each,
): { readonly [T in Type]: Each } =>
  // `fromEntries` loses the names.
  Object.fromEntries(types.map((type) => [type, handler])) as { [T in Type]: Each };

/** The change of one row by one batch, for tables derived from others. */
export interface RowChange<R extends Row = Row> {
  readonly key: Key;
  readonly before: R | undefined;
  readonly after: R | undefined;
}

/** Counters whose increments are a pure function of row changes in a source table. */
export interface CounterTable {
  readonly name: string;
  /** Text columns. */
  readonly key: readonly string[];
  /** bigint columns, starting at 0. A row whose counters are all 0 is deleted. */
  readonly counters: readonly string[];
  readonly indexes?: readonly string[];
  /** A table of the same projection whose changes are counted. */
  readonly source: string;
  increments(change: RowChange): readonly CounterIncrement[];
}

export interface CounterIncrement {
  readonly key: readonly string[];
  readonly by: Readonly<Record<string, number>>;
}

/**
 * A set-based step at the end of each batch, in its transaction, for rows that depend on many others (scores on facts). It does not run
 * for a batch that changes no row of the projection's tables.
 */
export interface BatchEnd<E extends ProjectedEvent = ProjectedEvent> {
  /** Tables written by this step, created and switched with the projection's other tables. */
  readonly tables: readonly Pick<Table, 'name' | 'columns' | 'key' | 'indexes'>[];
  /** Event types that `run` needs; defaults to all that the tables handle. A rebuild keeps no others in memory. */
  readonly eventTypes?: readonly E['type'][];
  /**
   * @param changes rows changed by the batch, by table name
   * @param sql runs a statement in the batch's transaction; `{name}` of a table of the projection becomes this generation's table
   * @param batch.events includes at least the events of the requested types
   * @param batch.after ordinal of the last event before the batch
   * @param batch.rebuilding the generation is not read before the rebuild is finished, so work can be left to that step
   */
  run(changes: ReadonlyMap<string, readonly RowChange[]>, sql: Sql, batch: BatchInfo<E>): Promise<void>;
  /** Computes the rows that `run` left out during the rebuild, from complete tables. Idempotent, because it runs again after a crash. */
  finishRebuild?(sql: Sql): Promise<void>;
}

export interface BatchInfo<E extends ProjectedEvent = ProjectedEvent> {
  readonly events: readonly E[];
  readonly after: number;
  readonly rebuilding: boolean;
}

/** Runs a statement. */
export type Sql = (text: string, values?: readonly unknown[]) => Promise<Row[]>;

export interface Projection<E extends ProjectedEvent = ProjectedEvent> {
  readonly name: string;
  /** Shown to maintainers. */
  readonly purpose: string;
  /** Increment when a table's shape or a fold changes. The worker then builds a new generation next to the live one. */
  readonly version: number;
  readonly tables: readonly Table<Row, E>[];
  readonly counters?: readonly CounterTable[];
  readonly batchEnd?: BatchEnd<E>;
  /** No caller waits for it after a command, so its events are gathered into larger, cheaper batches. */
  readonly lingers?: boolean;
  /** Idempotent DDL for cache tables in `read` that are not filled by folds. */
  readonly caches?: string;
}

/** Thrown by a projection's own code, so the same event fails again. */
export class FoldError extends Error {
  override readonly name = 'FoldError';
  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

/** Runs a projection's code, or the encoding of its rows. @throws FoldError */
export function wrapFoldErrors<Result>(fold: () => Result): Result {
  try {
    return fold();
  } catch (error) {
    throw error instanceof FoldError ? error : new FoldError(error);
  }
}

/** Whether the event caused the error. All other errors may be temporary and are retried. */
export const isEventError = (error: unknown): boolean =>
  error instanceof FoldError || kindOfError(error) === 'data';

/** The error thrown by the fold itself. */
export const unwrapFoldError = (error: unknown): unknown =>
  error instanceof FoldError ? error.cause : error;
