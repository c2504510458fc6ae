import type { Position } from '@nimo/event-store';
import type { Pool } from 'pg';
import type { SkippedEvent } from '../bookkeeping/bookkeeping.js';
import type { Column, CounterTable, Key, Row, Table } from '../projection.js';
import { columnLiteral, parameterType, READ_TYPES } from '../storage/column-values.js';
import { planned } from '../storage/transaction.js';

/** What is stored, and where the generation is that stored it: by one snapshot of the database. */
export interface StoredRows {
  readonly position: Position | null;
  readonly ordinal: number;
  readonly shapeHash: string;
  readonly isStopped: boolean;
  readonly skipped: readonly SkippedEvent[];
  readonly counts: Readonly<Record<string, number>>;
  readonly rows: readonly Row[];
}

const GENERATION = ['g.position', 'g.ordinal', 'g.shape_hash', 'g.error is not null', 'g.skipped'];

/** Positions in the row: columns of the table may be named as others are. */
type Values = readonly (Row[string] | undefined)[];

/** Rows of a live table by key, and one of a counter over it, beside the checkpoint of the generation that they are of. */
export class FreshStatement {
  readonly #name: string;
  readonly #table: Table;
  readonly #counter: CounterTable;
  readonly #columns: readonly string[];
  readonly #text: string;

  constructor({
    projection,
    table,
    counter,
  }: {
    readonly projection: { readonly name: string };
    readonly table: Table;
    readonly counter: CounterTable;
  }) {
    this.#name = projection.name;
    this.#table = table;
    this.#counter = counter;
    this.#columns = Object.keys(table.columns);
    const counters = counter.counters.map((column) => `c."${column}"`);
    const columns = this.#columns.map((column) => `r."${column}"`);
    const counted = counter.key.map((column, index) => `c."${column}" = $${index + 2}`).join(' and ');
    const first = counter.key.length + 2;
    const keys = table.key.map(
      (column, index) => `$${first + index}::${parameterType(this.#typeOf(column)).array}`,
    );
    const names = table.key.map((column) => `"${column}"`).join(', ');
    const matches = table.key.map((column) => `t."${column}" = k."${column}"`).join(' and ');
    this.#text = `
      select ${[...GENERATION, ...counters, ...columns].join(', ')}
      from read.projection_generations g
      left join read.${counter.name} c on ${counted}
      left join lateral (
        select t.* from unnest(${keys.join(', ')}) as k(${names})
        cross join lateral (select * from read.${table.name} t where ${matches} offset 0) t
      ) r on true
      where g.name = $1 and g.status = 'live'`;
  }

  /** @returns undefined where no generation serves */
  async read(pool: Pool, counted: Key, keys: readonly Key[]): Promise<StoredRows | undefined> {
    const { rows } = await pool.query<[...Values]>({
      ...planned(this.#text, 'once'),
      values: [
        this.#name,
        ...counted,
        ...this.#table.key.map((column, index) =>
          columnLiteral(
            this.#typeOf(column),
            keys.map((key) => key[index]),
          ),
        ),
      ],
      types: READ_TYPES,
      rowMode: 'array',
    });
    const [first] = rows;
    return first && this.#storedIn(first, rows);
  }

  #storedIn(first: Values, rows: readonly Values[]): StoredRows {
    // As `GENERATION` has them.
    const [position, ordinal, shapeHash, isStopped, skipped] = first as unknown as [
      Position | null,
      number,
      string,
      boolean,
      readonly SkippedEvent[],
    ];
    const { counters } = this.#counter;
    const place = GENERATION.length + counters.length;
    const keyPlaces = this.#table.key.map((column) => place + this.#columns.indexOf(column));
    return {
      position,
      ordinal,
      shapeHash,
      isStopped,
      skipped,
      counts: Object.fromEntries(
        counters.map((name, index) => [name, (first[GENERATION.length + index] ?? 0) as number]),
      ),
      rows: rows
        .filter((row) => keyPlaces.every((at) => row[at] !== null))
        .map((row) => this.#rowFrom(row.slice(place))),
    };
  }

  #rowFrom(values: Values): Row {
    return Object.fromEntries(this.#columns.map((column, index) => [column, values[index] ?? null]));
  }

  #typeOf(name: string): Column['type'] {
    const column = this.#table.columns[name];
    if (!column) throw new TypeError(`table ${this.#table.name} has no column ${name}`);
    return column.type;
  }
}
