import type { CollectionFieldSchema } from 'typesense';
import type { Queryable } from '../../queryable.js';
import { wordsOf } from '../words.js';
import { namesAlias, nameFields, postFields, postsAlias } from './search-collections.js';

export interface ShippedDocument {
  readonly id: string;
  readonly version: number;
}

/** A row as it is now. */
export interface ShippedRow {
  readonly id: string;
  readonly version: number;
  /** Nothing for what must not be found any more. */
  readonly document: ShippedDocument | undefined;
  /** Documents of other rows that go with it. */
  readonly owns: 'answers' | 'nothing';
}

/** Rows that are shipped into one collection. */
export interface ShippedRows {
  readonly alias: (prefix: string) => string;
  readonly fields: readonly CollectionFieldSchema[];
  /** Oldest first, at least `limit` where there are as many: those of the last version are all there. */
  newer(db: Queryable, after: number, limit: number): Promise<ShippedRow[]>;
  withIds(db: Queryable, ids: readonly string[]): Promise<ShippedRow[]>;
}

type PostRow = {
  readonly id: string;
  readonly kind: string;
  readonly space_id: string;
  readonly question_id: string;
  readonly subject_id: string | null;
  readonly topic_id: string | null;
  readonly author_id: string;
  readonly title_words: string;
  readonly tag_words: string;
  readonly body_words: string;
  readonly created_at: number;
  readonly answer_count: number;
  readonly is_solved: boolean;
  readonly is_removed: boolean;
  readonly version: number;
};

/** Answers stand where their question stands, and go with it. A double holds every version and every moment exactly. */
const SELECT_POSTS = `
  select d.document_id as id, d.kind, d.space_id, d.question_id, q.subject_id, q.topic_id, d.author_id,
    d.title_words, d.tag_words, d.body_words, (extract(epoch from d.created_at) * 1000)::float8 as created_at,
    d.answer_count, d.accepted_answer_id is not null as is_solved,
    d.is_removed or q.document_id is null or q.is_removed as is_removed, d.version::float8
  from read.search_documents d left join read.search_documents q on q.document_id = d.question_id`;

const withoutNulls = <Row extends object>(row: Row): Row =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Row;

function shippedPost({ is_removed, ...row }: PostRow): ShippedRow {
  const { id, version, kind } = row;
  const owns = is_removed && kind === 'QUESTION' ? 'answers' : 'nothing';
  return { id, version, owns, document: is_removed ? undefined : withoutNulls(row) };
}

export const shippedPosts: ShippedRows = {
  alias: postsAlias,
  fields: postFields,
  async newer(db, after, limit) {
    const { rows } = await db.query<PostRow>({
      name: 'ship-newer-posts',
      text: `${SELECT_POSTS} where d.version > $1 order by d.version fetch first ($2::int) rows with ties`,
      values: [after, limit],
    });
    return rows.map(shippedPost);
  },
  async withIds(db, ids) {
    const text = `${SELECT_POSTS} where d.document_id = any($1::text[])`;
    const { rows } = await db.query<PostRow>({ text, values: [ids] });
    return rows.map(shippedPost);
  },
};

type NameRow = {
  readonly id: string;
  readonly kind: string;
  readonly space_ids: readonly string[];
  readonly subject_id: string | null;
  readonly name: string;
  readonly is_findable: boolean;
  readonly version: number;
};

const SELECT_NAMES = `
  select name_id as id, kind, space_ids, subject_id, name, is_findable, version::float8 from read.search_names`;

function shippedName({ name, is_findable, ...row }: NameRow): ShippedRow {
  const { id, version } = row;
  const isFound = is_findable && row.space_ids.length > 0;
  const document = { ...withoutNulls(row), name_words: wordsOf(name).join(' ') };
  return { id, version, owns: 'nothing', document: isFound ? document : undefined };
}

export const shippedNames: ShippedRows = {
  alias: namesAlias,
  fields: nameFields,
  async newer(db, after, limit) {
    const { rows } = await db.query<NameRow>({
      name: 'ship-newer-names',
      text: `${SELECT_NAMES} where kind in ('PERSON', 'TOPIC') and version > $1
             order by version fetch first ($2::int) rows with ties`,
      values: [after, limit],
    });
    return rows.map(shippedName);
  },
  async withIds(db, ids) {
    const text = `${SELECT_NAMES} where name_id = any($1::text[])`;
    const { rows } = await db.query<NameRow>({ text, values: [ids] });
    return rows.map(shippedName);
  },
};
