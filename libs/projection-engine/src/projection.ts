import { kindOfError } from '@nimo/event-store';

/** What the log adds to what happened, as a fold sees it. `ordinal` is the count of events up to this one, the same in every store. */
export interface Projected<Metadata = unknown> {
  readonly id: string;
  readonly streamId: string;
  readonly ordinal: number;
  readonly metadata: Metadata;
  /** Why it could not be decoded: no fold gets to see it, and a table that it concerns stops there. */
  readonly undecodable?: string;
}

/** An event of whatever product. A product narrows it to the union of its own events. */
export type ProjectedEvent = Projected & { readonly type: string; readonly data: object };

/** In memory: text string, bigint and integer number, timestamptz ISO string in UTC with milliseconds, jsonb a JSON value. */
export type ColumnType = 'text' | 'bigint' | 'integer' | 'boolean' | 'timestamptz' | 'jsonb' | 'text[]';
export type ColumnValue = string | number | boolean | null | readonly string[] | object;
export type Row = Readonly<Record<string, ColumnValue>>;

export interface Column {
  readonly type: ColumnType;
  readonly nullable?: boolean;
}

/** By name, in the order of the table. Names are snake_case in SQL and the same in the row. */
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

/** Of the compiler's world alone: no column has it. */
declare const held: unique symbol;

export interface ColumnOf<Value extends string | object> extends Column {
  readonly [held]: Value;
}

/** A column of which more is known than its type tells: `holding<readonly Block[]>('jsonb')`, `holding<'UP' | 'DOWN'>('text')`. */
export const holding = <Value extends string | object>(type: Value extends string ? 'text' : 'jsonb') =>
  ({ type }) as Column as ColumnOf<Value>;

type Held<C extends Column> = C extends { readonly [held]: infer Value } ? Value : ValueOf[C['type']];

/** What the rows of a table with those columns are. */
export type RowOf<C extends Columns> = {
  readonly [Name in keyof C]: Held<C[Name]> | (C[Name] extends { readonly nullable: true } ? null : never);
};

/** A key is the values of the key columns, in their order. */
export type Key = readonly (string | number)[];

interface Keyed<E extends ProjectedEvent> {
  /** The rows that the event touches: one, several or none. */
  keys(event: E): readonly Key[];
}

/** What the event makes of a row that may not be there. */
interface Folding<R extends Row, E extends ProjectedEvent> extends Keyed<E> {
  /** The row after the event; undefined deletes it (or leaves it absent). Returning the same object writes nothing. */
  fold(row: R | undefined, event: E, key: Key): R | undefined;
  readonly change?: never;
}

/** What the event makes of a row that is there. It makes none. */
interface Changing<R extends Row, E extends ProjectedEvent> extends Keyed<E> {
  /** As `fold`. */
  change(row: R, event: E, key: Key): R | undefined;
  readonly fold?: never;
}

/** What an event does to a table. Pure and total: of an event that does not concern the table after all there are no keys. */
export type Handler<R extends Row = Row, E extends ProjectedEvent = ProjectedEvent> =
  | Folding<R, E>
  | Changing<R, E>;

/** The events of one type, or of some. */
export type Typed<E extends ProjectedEvent, Type extends E['type']> = Extract<E, { readonly type: Type }>;

/** A pure fold from events to the rows of one table. */
export interface Table<R extends Row = Row, E extends ProjectedEvent = ProjectedEvent> {
  /** Becomes the view `read.<name>`; the generation's own table is `read.<name>__g<generation>`. */
  readonly name: string;
  readonly columns: { readonly [C in keyof R & string]: Column };
  readonly key: readonly (keyof R & string)[];
  /** `{table}` stands for the generation's table and `{suffix}` for what keeps index names apart. */
  readonly indexes?: readonly string[];
  /** By event type. An event of a type that is not here does not concern the table. */
  readonly on: { readonly [Type in E['type']]?: Handler<R, Typed<E, Type>> };
}

/** One handler for several events. @returns a part of a table's `on` */
export const onEach = <Type extends string, Each>(
  types: readonly Type[],
  handler: Each,
): { readonly [T in Type]: Each } =>
  // `fromEntries` forgets which names it was given.
  Object.fromEntries(types.map((type) => [type, handler])) as { [T in Type]: Each };

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
export interface BatchEnd<E extends ProjectedEvent = ProjectedEvent> {
  /** Tables that the step owns, made and switched with the projection's others. */
  readonly tables: readonly Pick<Table, 'name' | 'columns' | 'key' | 'indexes'>[];
  /** Types of the events that it needs; unless given, all that the tables have handlers for. While a generation is built no others are kept. */
  readonly looksAt?: readonly E['type'][];
  /**
   * @param changes by table name, all rows that the batch changed
   * @param sql runs a statement in the batch's transaction; `{name}` of any table of the projection becomes this generation's table
   * @param batch.events at least those that it looks at
   * @param batch.after the ordinal after which the batch begins
   * @param batch.rebuilding nobody reads the generation before `whole` has run: what that makes can be left to it
   */
  run(changes: ReadonlyMap<string, readonly RowChange[]>, sql: Sql, batch: EndedBatch<E>): Promise<void>;
  /** Makes all rows that `run` left out while the generation was built, from whole tables. Runs again after a crash, on what it made before. */
  whole?(sql: Sql): Promise<void>;
}

export interface EndedBatch<E extends ProjectedEvent = ProjectedEvent> {
  readonly events: readonly E[];
  readonly after: number;
  readonly rebuilding: boolean;
}

/** Runs a statement. */
export type Sql = (text: string, values?: readonly unknown[]) => Promise<Row[]>;

export interface Projection<E extends ProjectedEvent = ProjectedEvent> {
  readonly name: string;
  /** What it is for, to a maintainer. */
  readonly purpose: string;
  /** Raised when a table's shape or a fold changes: the worker then builds a new generation next to the live one. */
  readonly version: number;
  readonly tables: readonly Table<Row, E>[];
  readonly counters?: readonly CounterTable[];
  readonly batchEnd?: BatchEnd<E>;
  /** Nobody waits for it right after a command: its events are gathered for a moment, and cost less. */
  readonly lingers?: boolean;
  /** Statements that make, where they are missing, tables in `read` beside its generations: caches, which no fold fills. */
  readonly caches?: string;
}

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
