import type { QueryResultRow } from 'pg';

/** A pool or a client. A named statement is planned once a connection: hot lists are named. */
export interface Queryable {
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- each statement says what its rows are, as with pg itself
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
  /** How many there are on all pages. */
  readonly total: number;
}

/** One page of a list that nobody counts. */
export interface OpenPage<T> {
  readonly docs: readonly T[];
  readonly page: number;
  readonly hasNext: boolean;
}

/** @param rows one more than the page has room for, where there is more */
export const openPage = <T>(rows: readonly T[], page: number, limit: number): OpenPage<T> => ({
  docs: rows.slice(0, limit),
  page,
  hasNext: rows.length > limit,
});

/** SQL for a timestamptz as the product writes times, whatever type parsers the connection has. */
export const isoTime = (column: string): string =>
  `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** A row of a page beside the list's length; a page past the end is one row of nothing but the length. */
export type PageRow<R> = { readonly total: number } & (R | { readonly [C in keyof R]: null });

/** @param idColumn never null in a row that is there */
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

/** A pattern for LIKE that takes the text literally. */
export const literally = (text: string): string => text.replace(/[\\%_]/g, '\\$&');

/**
 * A parameter whose value the planner does not see. It would otherwise think a plan for this very value cheaper than the one
 * that it keeps, and plan a statement of ten joins anew each time: milliseconds, where running it takes less than one.
 */
export const opaque = (parameter: string, type: 'bigint' | 'text[]'): string =>
  `(select ${parameter}::${type})${type === 'text[]' ? '::text[]' : ''}`;

interface PageWindow {
  readonly name: string;
  readonly window: string;
  readonly later: readonly number[];
}

/**
 * LIMIT and OFFSET of a named statement. The limit is a literal, so that a plan is made for as many rows and no more.
 * @param offset the parameter that `later` fills from the second page on; it must be the last one
 */
export const pageWindow = (list: string, page: number, limit: number, offset: string): PageWindow =>
  page === 1
    ? { name: `${list}-${limit}-first`, window: `limit ${limit}`, later: [] }
    : {
        name: `${list}-${limit}-later`,
        window: `limit ${limit} offset ${opaque(offset, 'bigint')}`,
        later: [(page - 1) * limit],
      };

/** Who reads: nobody in particular, or a student with the spaces that they moderate. */
export interface Reader {
  readonly viewerId: string | null;
  readonly moderated?: 'all' | readonly string[] | undefined;
}

const EVERY_SPACE = '*';

/** What `readable` takes for the spaces that are moderated. */
export const moderatedOf = ({ moderated = [] }: Reader): readonly string[] =>
  moderated === 'all' ? [EVERY_SPACE] : moderated;

/**
 * The one rule of who may read what stands in a space, for whatever is asked for by another id than the space's: as SQL, of `spaceId`, with the
 * parameters of the viewer (null: nobody in particular) and of `moderatedOf`. Who may not read gets what is not there.
 */
export const readable = (spaceId: string, viewer: string, moderated: string): string => `(
  exists (select from read.spaces readable where readable.space_id = ${spaceId}
    and (readable.has_public_pages or readable.entry = 'OPEN' and ${viewer}::text is not null))
  or exists (select from read.memberships own where own.space_id = ${spaceId} and own.student_id = ${viewer} and own.left_at is null)
  or ${moderated}::text[] && array['${EVERY_SPACE}', ${spaceId}])`;

/** Pictures that are for members alone: a post without any is not asked for its space. */
export const hasPrivatePictures = (images: string, spaceId: string): string =>
  `(${images} <> '{}' and not ${isPublic(spaceId)})`;

/** The same for whoever is not signed in. */
export const isPublic = (spaceId: string): string =>
  `exists (select from read.spaces readable where readable.space_id = ${spaceId} and readable.has_public_pages)`;
