import type { QueryResultRow } from 'pg';

/** A pool or a client. A named statement is planned once a connection: hot lists are named. */
export interface Queryable {
  query<R extends QueryResultRow>(statement: Statement): Promise<{ rows: R[] }>;
}

export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: unknown[];
}

/** One page of a list; pages count from 1. */
export interface Page<T> {
  readonly docs: readonly T[];
  readonly page: number;
  readonly totalPages: number;
}

/** SQL for a timestamptz as the product writes times, whatever type parsers the connection has. */
export const isoTime = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

export const pagesOf = (total: number, limit: number): number => Math.ceil(total / limit);

/** A pattern for LIKE that takes the text literally. */
export const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&');
