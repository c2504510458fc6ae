import { createHash } from 'node:crypto';
import type { Column, CounterTable, Projection, Table } from '../projection.js';

/** A database table filled by a fold, by counters or by a batch end. */
export interface TableShape {
  readonly name: string;
  readonly columns: Readonly<Record<string, Column>>;
  readonly key: readonly string[];
  readonly indexes: readonly string[];
}

const NAME = /^[a-z][a-z0-9_]{0,47}$/;

export function tableShapes(projection: Projection): TableShape[] {
  const shapes = [
    ...projection.tables.map(shapeOf),
    ...(projection.counters ?? []).map(counterShape),
    ...(projection.batchEnd?.tables ?? []).map(shapeOf),
  ];
  for (const { name, columns, key } of shapes) {
    for (const identifier of [projection.name, name, ...Object.keys(columns)]) {
      if (!NAME.test(identifier))
        throw new TypeError(`"${identifier}" of projection ${projection.name} is not a plain SQL name`);
    }
    if (key.length === 0) throw new TypeError(`table ${name} has no key`);
  }
  return shapes;
}

function shapeOf({
  name,
  columns,
  key,
  indexes,
}: Pick<Table, 'name' | 'columns' | 'key' | 'indexes'>): TableShape {
  return {
    name,
    columns: columns,
    key: key,
    indexes: indexes ?? [],
  };
}

function counterShape({ name, key, counters, indexes }: CounterTable): TableShape {
  const columns: Record<string, Column> = {};
  for (const column of key) columns[column] = { type: 'text' };
  for (const column of counters) columns[column] = { type: 'bigint' };
  return { name, columns, key, indexes: indexes ?? [] };
}

/** Hash of the version and tables. Code can only fill generations with its own hash. */
export function shapeHash(projection: Projection): string {
  const shapes = tableShapes(projection).map(({ name, columns, key, indexes }) => [
    name,
    Object.entries(columns).map(([column, { type, nullable }]) => [column, type, nullable === true]),
    key,
    indexes,
  ]);
  return createHash('sha256')
    .update(JSON.stringify([projection.version, shapes]))
    .digest('hex')
    .slice(0, 16);
}

export function generationTable(name: string, generation: number): string {
  return `read.${name}__g${generation}`;
}

export function createTableSql(shape: TableShape, generation: number): string {
  const columns = Object.entries(shape.columns).map(
    ([column, { type, nullable }]) => `"${column}" ${type}${nullable === true ? '' : ' not null'}`,
  );
  const key = shape.key.map((column) => `"${column}"`).join(', ');
  return `create table ${generationTable(shape.name, generation)} (${columns.join(', ')}, primary key (${key}))`;
}

export function createIndexSql(shape: TableShape, generation: number): string[] {
  return shape.indexes.map((index) =>
    index
      .replaceAll('{table}', generationTable(shape.name, generation))
      .replaceAll('{suffix}', `g${generation}`),
  );
}

export function createViewSql(shape: TableShape, generation: number): string {
  const columns = Object.keys(shape.columns).map((column) => `"${column}"`);
  return `create view read.${shape.name} as select ${columns.join(', ')} from ${generationTable(shape.name, generation)}`;
}

/** For a table that the live generation does not have yet. */
export function createEmptyViewSql(shape: TableShape): string {
  const columns = Object.entries(shape.columns).map(([column, { type }]) => `null::${type} as "${column}"`);
  return `create view read.${shape.name} as select ${columns.join(', ')} where false`;
}

/**
 * Makes the owner of the schema `read` the owner of a new table or view, so that workers can index, switch and drop it even if the
 * command line created it as the database owner.
 */
export function assignToSchemaOwnerSql(kind: 'table' | 'view', name: string): string {
  return `do $own$
    declare owner text := (select nspowner::regrole::text from pg_namespace where nspname = 'read');
    begin
      if owner <> quote_ident(current_user) then execute format('alter ${kind} ${name} owner to %s', owner); end if;
    end $own$`;
}
