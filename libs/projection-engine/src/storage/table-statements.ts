import type { ClientBase, PoolClient } from 'pg';
import {
  type CounterIncrement,
  type Key,
  type Row,
  type RowChange,
  type ColumnType,
  type ColumnValue,
  wrapFoldErrors,
} from '../projection.js';
import { columnLiteral, parameterType, READ_TYPES } from './column-values.js';
import { type Planning, planned, allAnswered } from './transaction.js';
import { generationTable, type TableShape } from './table-shape.js';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { from as copyFrom } from 'pg-copy-streams';
import { TimeSlice } from '../scheduling.js';

export type Queryable = Pick<ClientBase, 'query'>;

/** Fewer new rows are inserted together with the changed ones. */
const MIN_COPIED_ROWS = 20;

/**
 * Bulk statements for one table of a generation. Each takes any number of rows, with one array parameter per column. Methods send their
 * statements immediately, so calls can be pipelined.
 */
export class TableStatements {
  private readonly shape: TableShape;
  private readonly columns: readonly string[];
  private readonly copied: readonly CopiedColumn[];
  private readonly table: string;
  private readonly loadText: string;
  private readonly insert: string;
  private readonly upsert: string;
  private readonly remove: string;
  private readonly addText: string;
  private readonly removeZeros: string;

  constructor(shape: TableShape, generation: number) {
    this.shape = shape;
    this.columns = Object.keys(shape.columns);
    this.copied = Object.entries(shape.columns).map(([name, { type }]) => ({ name, type }));
    this.table = generationTable(shape.name, generation);
    const keys = this.unnest(shape.key);
    const rows = this.unnest(this.columns);
    const columns = this.columns.map((column) => `"${column}"`).join(', ');
    const keyList = shape.key.map((column) => `"${column}"`).join(', ');
    const matches = shape.key.map((column) => `t."${column}" = k."${column}"`).join(' and ');
    const rest = this.columns.filter((column) => !shape.key.includes(column));
    this.insert = `insert into ${this.table} as t (${columns}) select ${rows.select} from ${rows.from}`;
    const onConflict = `${this.insert} on conflict (${keyList}) do `;

    // `offset 0` keeps the planner from turning the lookups by key into a scan of a table that has no statistics yet.
    this.loadText = `select r.* from ${keys.from} cross join lateral (select ${columns} from ${this.table} t where ${matches} offset 0) r`;
    this.upsert =
      onConflict +
      (rest.length === 0
        ? 'nothing'
        : `update set ${rest.map((column) => `"${column}" = excluded."${column}"`).join(', ')}`);
    this.remove = `delete from ${this.table} t using ${keys.from} where ${matches}`;
    this.addText =
      onConflict +
      `update set ${rest.map((column) => `"${column}" = t."${column}" + excluded."${column}"`).join(', ')}`;
    this.removeZeros = `${this.remove} and ${rest.map((column) => `t."${column}" = 0`).join(' and ')}`;
  }

  async load(client: Queryable, keys: readonly Key[], planning: Planning = 'each time'): Promise<Row[]> {
    const { rows } = await client.query<Row>({
      ...planned(this.loadText, planning),
      values: this.keyParameters(keys),
      types: READ_TYPES,
    });
    return rows;
  }

  /** @param changes with reliable `before` values: rows without one are inserted without a conflict check */
  async write(
    client: Queryable,
    changes: readonly RowChange[],
    planning: Planning = 'each time',
  ): Promise<void> {
    const [added, changed]: [Row[], Row[]] = [[], []];
    for (const { before, after } of changes)
      if (after !== undefined) (before === undefined ? added : changed).push(after);
    const removed = changes.filter(({ after }) => after === undefined).map(({ key }) => key);
    const sent = (statement: string, rows: readonly Row[]): Promise<unknown>[] =>
      rows.length === 0 ? [] : [client.query(planned(statement, planning), this.rowParameters(rows))];
    await allAnswered([
      ...sent(this.insert, added),
      ...sent(this.upsert, changed),
      ...this.removal(client, this.remove, removed, planning),
    ]);
  }

  /** Like `write`, with `COPY` for many new rows. Do not use the connection for anything else until it resolves. */
  async writeMany(client: PoolClient, changes: readonly RowChange[]): Promise<void> {
    const isNew = ({ before, after }: RowChange): boolean => before === undefined && after !== undefined;
    const added = changes.filter(isNew);
    const isCopied = added.length >= MIN_COPIED_ROWS;
    if (isCopied) {
      const rows = added.flatMap(({ after }) => (after === undefined ? [] : [after]));
      await copyRows(client, this.table, this.copied, rows);
    }
    const others = changes.filter(
      (change) =>
        !(isNew(change) && isCopied) && !(change.before === undefined && change.after === undefined),
    );
    if (others.length > 0) await this.write(client, others);
  }

  /** Adds to counters. New rows start at 0; rows whose counters are all 0 are deleted. */
  async add(
    client: Queryable,
    increments: readonly CounterIncrement[],
    planning: Planning = 'each time',
  ): Promise<void> {
    const rows = increments.map(({ key, by }) => {
      const row: Record<string, string | number> = {};
      for (const column of this.columns) row[column] = by[column] ?? 0;
      this.shape.key.forEach((column, index) => (row[column] = key[index] ?? ''));
      return row;
    });
    const lowered = increments.filter(({ by }) => Object.values(by).some((step) => step < 0));
    await allAnswered([
      client.query(planned(this.addText, planning), this.rowParameters(rows)),
      ...this.removal(
        client,
        this.removeZeros,
        lowered.map(({ key }) => key),
        planning,
      ),
    ]);
  }

  private removal(
    client: Queryable,
    statement: string,
    keys: readonly Key[],
    planning: Planning,
  ): Promise<unknown>[] {
    return keys.length === 0 ? [] : [client.query(planned(statement, planning), this.keyParameters(keys))];
  }

  private unnest(columns: readonly string[]): { readonly from: string; readonly select: string } {
    const types = columns.map((column) => parameterType(this.typeOf(column)));
    const parameters = types.map(({ array }, index) => `$${index + 1}::${array}`).join(', ');
    const names = columns.map((column) => `"${column}"`).join(', ');
    const select = columns.map((column, index) => `k."${column}"${types[index]?.cast ?? ''}`).join(', ');
    return { from: `unnest(${parameters}) as k(${names})`, select };
  }

  private keyParameters(keys: readonly Key[]): string[] {
    return wrapFoldErrors(() =>
      this.shape.key.map((column, index) =>
        columnLiteral(
          this.typeOf(column),
          keys.map((key) => key[index]),
        ),
      ),
    );
  }

  private rowParameters(rows: readonly Row[]): string[] {
    return wrapFoldErrors(() =>
      this.columns.map((column) =>
        columnLiteral(
          this.typeOf(column),
          rows.map((row) => row[column]),
        ),
      ),
    );
  }

  private typeOf(column: string): TableShape['columns'][string]['type'] {
    const definition = this.shape.columns[column];
    if (definition === undefined) throw new TypeError(`table ${this.shape.name} has no column ${column}`);
    return definition.type;
  }
}

const CHUNK_CHARACTERS = 2 ** 16;

interface CopiedColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/**
 * Copies rows into a table that has none of their keys. The connection must have no statement in progress. Do not use it for anything else
 * until this resolves.
 */
export async function copyRows(
  client: PoolClient,
  table: string,
  columns: readonly CopiedColumn[],
  rows: readonly Row[],
): Promise<void> {
  const list = columns.map(({ name }) => `"${name}"`).join(', ');
  const into = copyFrom(`copy ${table} (${list}) from stdin`);
  await withoutPipelining(client, async () => {
    client.query(into);
    await pipeline(Readable.from(chunksOf(columns, rows)), into);
  });
}

/** The driver cannot stream on a pipelining connection: later statements would end up in the stream. */
async function withoutPipelining(client: { pipeline: boolean }, work: () => Promise<void>): Promise<void> {
  const before = client.pipeline;
  client.pipeline = false;
  try {
    await work();
  } finally {
    client.pipeline = before;
  }
}

async function* chunksOf(columns: readonly CopiedColumn[], rows: readonly Row[]): AsyncGenerator<Buffer> {
  const slice = new TimeSlice();
  let text = '';
  for (const row of rows) {
    text += copiedRow(columns, row);
    if (text.length < CHUNK_CHARACTERS) continue;
    yield Buffer.from(text);
    text = '';
    if (slice.isOver) await slice.yield();
  }
  if (text !== '') yield Buffer.from(text);
}

/** A line in the text format of `COPY`. */
function copiedRow(columns: readonly CopiedColumn[], row: Row): string {
  let line = '';
  let separator = '';
  for (const { name, type } of columns) {
    const value = row[name];
    line += separator;
    separator = '\t';
    line += value === null || value === undefined ? '\\N' : COPIED[type](value);
  }
  return line + '\n';
}

const plain = String;
const COPIED: Record<ColumnType, (value: NonNullable<ColumnValue>) => string> = {
  text: (value) => escaped(value as string),
  bigint: plain,
  integer: plain,
  boolean: plain,
  timestamptz: (value) => value as string,
  jsonb: (value) => escaped(JSON.stringify(value)),
  'text[]': (value) => escaped(columnLiteral('text', value as readonly string[])),
};

const NEEDS_ESCAPE = /[\\\n\r\t]/;
const ALL_ESCAPED = /[\\\n\r\t]/g;
const ESCAPES: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const escaped = (text: string): string =>
  NEEDS_ESCAPE.test(text) ? text.replace(ALL_ESCAPED, (found) => ESCAPES[found] ?? found) : text;
