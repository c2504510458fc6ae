import { Client, type CollectionFieldSchema, Errors } from 'typesense';
import { createHash } from 'node:crypto';

/** Errors of the client carry the request along, with the key in its headers and documents in its body: neither belongs into a log. */
export function plainError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const isOfClient = 'isAxiosError' in error || error instanceof Errors.TypesenseError;
  if (!isOfClient) return error;
  const code = 'code' in error ? String(error.code) : '';
  const status = 'httpStatus' in error ? String(error.httpStatus) : '';
  return new Error(['Typesense failed:', error.name, status, code, error.message].filter(Boolean).join(' '));
}

/** Of the private use area: no word has them, so that nothing of a text can be taken for a tag. */
export const MARK_START = '\uE000';
export const MARK_END = '\uE001';

/** The words in which something is marked; Typesense marks only that part of a word that was typed. */
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

/** A search is answered by another engine after that long; shipping can wait. */
const SEARCH_SECONDS = 1;
const SHIPPING_SECONDS = 10;

const clientOf = ({ url, apiKey }: TypesenseServer, connectionTimeoutSeconds: number): Client => {
  const { protocol, hostname, port, pathname } = new URL(url);
  const isSecure = protocol === 'https:';
  return new Client({
    apiKey,
    connectionTimeoutSeconds,
    // Who asks decides what to do about a failure, and when to try again.
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

/** What all ids of the product are made of; nothing of the filter language is. */
const ID_PATTERN = /^[\w-]+$/;

/** A value that can be no id has no documents: it must not be spelt into a filter, and there is nothing to ask for. */
export class NothingMatches extends Error {}

function quoted(id: string): string {
  if (!ID_PATTERN.test(id)) throw new NothingMatches('not an id');
  return `\`${id}\``;
}

export const isId = (field: string, id: string): string => `${field}:=${quoted(id)}`;

export function isOneOf(field: string, ids: Iterable<string>): string {
  const values = Array.from(ids, quoted);
  if (values.length === 0) throw new NothingMatches('one of nothing');
  return `${field}:=[${values.join(',')}]`;
}

export const isTrue = (field: string, value: boolean): string => `${field}:=${String(value)}`;

/** @param words of letters, digits and underscores, as spellings are */
export const hasAnyWord = (fields: readonly string[], words: readonly string[]): string =>
  fields.map((field) => `${field}:[${words.join(',')}]`).join(' || ');

/** Conditions that are undefined are not asked for. */
export const allOf = (...conditions: readonly (string | undefined)[]): string =>
  conditions.filter((condition) => condition !== undefined).join(' && ');

export const ifGiven = <Value>(
  value: Value | undefined,
  condition: (value: Value) => string,
): string | undefined => (value === undefined ? undefined : condition(value));

const WORDS = { type: 'string' } as const;
const ID = { type: 'string' } as const;

/** The words are folded already, so that accents and case of every language are the same on both sides. */
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

/** The hyphens of ids, the underscores of ids and spellings, and what tells "C++", "C#" and "C" apart. Typesense drops every other sign. */
export const INDEXED_SYMBOLS = ['-', '_', '+', '#'];

export const shapeOf = (fields: readonly CollectionFieldSchema[]): string =>
  createHash('sha256')
    .update(JSON.stringify([fields, INDEXED_SYMBOLS]))
    .digest('hex')
    .slice(0, 16);

export const DEFAULT_PREFIX = 'nimo';
export const postsAlias = (prefix: string): string => `${prefix}_posts`;
export const namesAlias = (prefix: string): string => `${prefix}_names`;
