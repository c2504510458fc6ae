import { Client, type CollectionFieldSchema, Errors } from 'typesense';
import { createHash } from 'node:crypto';

/** Strips the request from client errors: its API key and documents must not reach a log. */
export function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const isOfClient = 'isAxiosError' in error || error instanceof Errors.TypesenseError;
  if (!isOfClient) return error;
  const code = 'code' in error ? String(error.code) : '';
  const status = 'httpStatus' in error ? String(error.httpStatus) : '';
  return new Error(
    ['Typesense request failed:', error.name, status, code, error.message].filter(Boolean).join(' '),
  );
}

/** Private use characters, which no word contains, so that text cannot imitate a tag. */
export const MARK_START = '\uE000';
export const MARK_END = '\uE001';

/** Words that contain a mark. Typesense marks only the matching part of a word. */
export function markedWords(values: readonly (string | undefined)[]): ReadonlySet<string> {
  const words = new Set<string>();
  for (const value of values) {
    let isOpen = false;
    for (const word of value?.split(' ') ?? []) {
      const start = word.lastIndexOf(MARK_START);
      const end = word.lastIndexOf(MARK_END);
      if (isOpen || start >= 0) words.add(word.replaceAll(MARK_START, '').replaceAll(MARK_END, ''));
      if (start !== end) isOpen = start > end;
    }
  }
  return words;
}

export interface TypesenseServer {
  readonly url: string;
  readonly apiKey: string;
}

/** After this timeout a search falls back to the embedded engine; shipping can wait longer. */
const SEARCH_SECONDS = 1;
const SHIPPING_SECONDS = 10;

const clientOf = ({ url, apiKey }: TypesenseServer, connectionTimeoutSeconds: number): Client => {
  const { protocol, hostname, port, pathname } = new URL(url);
  const isSecure = protocol === 'https:';
  return new Client({
    apiKey,
    connectionTimeoutSeconds,
    // Callers handle failures and retries.
    numRetries: 0,
    logLevel: 'silent',
    nodes: [
      {
        host: hostname,
        port: port === '' ? (isSecure ? 443 : 80) : Number(port),
        protocol: isSecure ? 'https' : 'http',
        path: pathname.replace(/\/$/, ''),
      },
    ],
  });
};

export const searchClient = (server: TypesenseServer): Client => clientOf(server, SEARCH_SECONDS);
export const shippingClient = (server: TypesenseServer): Client => clientOf(server, SHIPPING_SECONDS);

/** Characters of ids; none is special in the filter language. */
const ID_PATTERN = /^[\w-]+$/;

/** Thrown for a filter that cannot match, such as an invalid id, which must not reach the filter language. */
export class NothingMatches extends Error {}

function quoted(id: string): string {
  if (!ID_PATTERN.test(id)) throw new NothingMatches('not an id');
  return `\`${id}\``;
}

export const isId = (field: string, id: string): string => `${field}:=${quoted(id)}`;

export function isOneOf(field: string, ids: Iterable<string>): string {
  const values = Array.from(ids, quoted);
  if (values.length === 0) throw new NothingMatches('empty list of ids');
  return `${field}:=[${values.join(',')}]`;
}

export const isTrue = (field: string, value: boolean): string => `${field}:=${String(value)}`;

/** @param words letters, digits and underscores only */
export const hasAnyWord = (fields: readonly string[], words: readonly string[]): string =>
  fields.map((field) => `${field}:[${words.join(',')}]`).join(' || ');

/** Joins the defined conditions. */
export const allOf = (...conditions: readonly (string | undefined)[]): string =>
  conditions.filter((condition) => condition !== undefined).join(' && ');

export const ifDefined = <Value>(
  value: Value | undefined,
  condition: (value: Value) => string,
): string | undefined => (value === undefined ? undefined : condition(value));

const WORDS = { type: 'string' } as const;
const ID = { type: 'string' } as const;

/** Words are folded before shipping, so that accents and case match the query in every language. */
export const postFields: readonly CollectionFieldSchema[] = [
  { name: 'title_words', ...WORDS },
  { name: 'tag_words', ...WORDS },
  { name: 'body_words', ...WORDS },
  { name: 'kind', ...ID },
  { name: 'space_id', ...ID },
  { name: 'question_id', ...ID },
  { name: 'subject_id', ...ID, optional: true },
  { name: 'topic_id', ...ID, optional: true },
  { name: 'author_id', ...ID },
  { name: 'created_at', type: 'int64' },
  { name: 'answer_count', type: 'int32' },
  { name: 'is_solved', type: 'bool' },
  { name: 'version', type: 'int64' },
];

export const nameFields: readonly CollectionFieldSchema[] = [
  { name: 'name_words', ...WORDS },
  { name: 'kind', ...ID },
  { name: 'space_ids', type: 'string[]' },
  { name: 'subject_id', ...ID, optional: true },
  { name: 'version', type: 'int64' },
];

/** Symbols in ids and spellings, and those that distinguish "C", "C++" and "C#". Typesense drops all others. */
export const INDEXED_SYMBOLS = ['-', '_', '+', '#'];

export const shapeOf = (fields: readonly CollectionFieldSchema[]): string =>
  createHash('sha256')
    .update(JSON.stringify([fields, INDEXED_SYMBOLS]))
    .digest('hex')
    .slice(0, 16);

export const DEFAULT_PREFIX = 'nimo';
export const postsAlias = (prefix: string): string => `${prefix}_posts`;
export const namesAlias = (prefix: string): string => `${prefix}_names`;
