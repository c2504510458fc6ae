import { createHash } from 'node:crypto';
import type { CollectionFieldSchema } from 'typesense';

/** Where the documents of one kind of rows are: searched by its alias, behind which collections change. */
export interface SearchCollection {
  readonly alias: string;
  readonly fields: readonly CollectionFieldSchema[];
}

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
