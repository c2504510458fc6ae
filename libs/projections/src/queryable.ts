import type { QueryResultRow } from 'pg';
import { notOfRemovedSpace } from './removed-space.sql.js';

/** A pool or a client. Frequent statements are named, so that each connection plans them once. */
export interface Queryable {
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each statement declares its rows, as in pg
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
  /** Items on all pages. */
  readonly total: number;
}

/** One page of a list without a total. */
export interface OpenPage<T> {
  readonly docs: readonly T[];
  readonly page: number;
  readonly hasNext: boolean;
}

/** @param rows up to `limit + 1` rows: the extra one shows that another page follows */
export const openPage = <T>(rows: readonly T[], page: number, limit: number): OpenPage<T> => ({
  docs: rows.slice(0, limit),
  page,
  hasNext: rows.length > limit,
});

/** SQL that formats a timestamptz as ISO 8601 in UTC, independent of the connection's type parsers. */
export const isoTime = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** A row of a page with the list's total. A page past the end is one row with the total and nulls. */
export type PageRow<R> = { readonly total: number } & (R | { readonly [C in keyof R]: null });

/** @param idColumn never null, except in the row of an empty page */
export function pageFrom<R extends object, T>(
  rows: readonly PageRow<R>[],
  { page, limit, idColumn }: { readonly page: number; readonly limit: number; readonly idColumn: keyof R },
  viewOf: (row: R) => T,
): Page<T> {
  const isThere = (row: PageRow<R>): row is PageRow<R> & R => row[idColumn] !== null;
  const total = rows[0]?.total ?? 0;
  const docs = rows.filter(isThere).map((row) => viewOf(row));
  return { docs, page, totalPages: Math.ceil(total / limit), total };
}

/** Escapes the wildcards of a LIKE pattern. */
export const escapeLikePattern = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/**
 * SQL that hides a parameter's value from the planner. Otherwise PostgreSQL prefers a custom plan for each value and replans a
 * statement of ten joins on every call, which takes longer than running it.
 */
export const opaque = (parameter: string, type: 'bigint' | 'text[]'): string =>
  `(select ${parameter}::${type})${type === 'text[]' ? '::text[]' : ''}`;

interface PageWindow {
  readonly name: string;
  readonly window: string;
  readonly later: readonly number[];
}

/**
 * LIMIT and OFFSET of a named statement. The limit is a literal, so that the planner knows the number of rows.
 * @param offset the last parameter, filled by `later` from the second page on
 */
export const pageWindow = (list: string, page: number, limit: number, offset: string): PageWindow =>
  page === 1
    ? { name: `${list}-${limit}-first`, window: `limit ${limit}`, later: [] }
    : {
        name: `${list}-${limit}-later`,
        window: `limit ${limit} offset ${opaque(offset, 'bigint')}`,
        later: [(page - 1) * limit],
      };

/** An anonymous visitor, or a student with the spaces they moderate. */
export interface Reader {
  readonly viewerId: string | null;
  readonly moderated?: 'all' | readonly string[] | undefined;
}

const EVERY_SPACE = '*';

/** The `moderated` parameter of `readable`. */
export const moderatedOf = ({ moderated = [] }: Reader): readonly string[] =>
  moderated === 'all' ? [EVERY_SPACE] : moderated;

/**
 * SQL condition for read access to the content of a space. The only such rule, for everything looked up by another ID than the
 * space's. Unreadable content is treated as missing.
 * @param viewer parameter with the viewer's ID, null for anonymous visitors
 * @param moderated parameter with the result of `moderatedOf`
 */
export const readable = (spaceId: string, viewer: string, moderated: string): string => `(
  exists (select from read.spaces readable where readable.space_id = ${spaceId}
    and (readable.has_public_pages or readable.entry = 'OPEN' and ${viewer}::text is not null))
  or ${notOfRemovedSpace(spaceId)} and (
    exists (select from read.memberships own where own.space_id = ${spaceId} and own.student_id = ${viewer} and own.left_at is null)
    or ${moderated}::text[] && array['${EVERY_SPACE}', ${spaceId}]))`;

/** SQL for whether a post has members-only pictures. Looks up the space only if there are pictures. */
export const hasPrivatePictures = (images: string, spaceId: string): string =>
  `(${images} <> '{}' and not ${isPublic(spaceId)})`;

/** SQL for whether visitors who are not signed in may read the space. */
export const isPublic = (spaceId: string): string =>
  `exists (select from read.spaces readable where readable.space_id = ${spaceId} and readable.has_public_pages)`;
