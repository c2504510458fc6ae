import type { CollectionFieldSchema } from 'typesense';
import { randomUUID } from 'node:crypto';
import type { Pool } from 'pg';
import { type Queryable, wordsOf } from '@nimo/projections';
import { nameFields, namesAlias, postFields, postsAlias } from './typesense-client.js';

export interface ShippedDocument {
  readonly id: string;
  readonly version: number;
}

/** Current state of a row. */
export interface ShippedRow {
  readonly id: string;
  readonly version: number;
  /** Undefined if the row must no longer be found. */
  readonly document: ShippedDocument | undefined;
  /** Documents of other rows that are removed along with it. */
  readonly owns: 'answers' | 'nothing';
}

/** Rows shipped to one collection. */
export interface ShippedRows {
  readonly alias: (prefix: string) => string;
  readonly fields: readonly CollectionFieldSchema[];
  /** Oldest first. May exceed `limit`, because all rows of the last version are included. */
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

/**
 * Answers take subject and topic from their question and are removed along with it. A double holds every version and timestamp
 * exactly.
 */
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

/** A Typesense collection and its shipping checkpoint. */
export interface KnownCollection {
  readonly name: string;
  /** Hash of the fields. */
  readonly shape: string;
  /** Projection generation of the rows in the collection. */
  readonly generation: number;
  readonly version: number;
  readonly isServing: boolean;
}

interface ReadSidePosition {
  readonly generation: number;
  readonly ordinal: number;
}

const LEASE_SECONDS = 15;
const RENEW_AFTER_MS = 5_000;

/** Shipping checkpoints and the lease that lets one process ship at a time. */
export class ShippingState {
  private readonly owner = randomUUID();
  private renewAt = 0;

  constructor(
    private readonly pool: Pool,
    private readonly prefix: string,
  ) {}

  /** Acquires or renews the lease. @returns undefined if another process holds it */
  async acquireLease(): Promise<'acquired' | 'renewed' | undefined> {
    if (performance.now() < this.renewAt) return 'renewed';
    const { rows } = await this.pool.query<{ previous_owner: string | null }>({
      name: 'shipping-lead',
      text: `insert into state.search_sync as s (prefix, owner, expires_at)
             values ($1, $2, clock_timestamp() + interval '${LEASE_SECONDS} s')
             on conflict (prefix) do update
             set previous_owner = s.owner, owner = excluded.owner, expires_at = excluded.expires_at
             where s.owner = excluded.owner or s.expires_at < clock_timestamp()
               -- Beyond any lease duration: the clock has been set back since.
               or s.expires_at > clock_timestamp() + interval '${2 * LEASE_SECONDS} s'
             returning previous_owner`,
      values: [this.prefix, this.owner],
    });
    const row = rows[0];
    this.renewAt = row ? performance.now() + RENEW_AFTER_MS : 0;
    return row && (row.previous_owner === this.owner ? 'renewed' : 'acquired');
  }

  async releaseLease(): Promise<void> {
    this.renewAt = 0;
    await this.pool.query(
      'update state.search_sync set expires_at = clock_timestamp() where prefix = $1 and owner = $2',
      [this.prefix, this.owner],
    );
  }

  async collectionsOf(alias: string): Promise<KnownCollection[]> {
    const { rows } = await this.pool.query<KnownCollection>({
      name: 'shipping-collections',
      text: `select name, shape, generation, version::float8, is_serving as "isServing"
             from state.search_collections where alias = $1`,
      values: [alias],
    });
    return rows;
  }

  async add(alias: string, { name, shape, generation }: KnownCollection): Promise<void> {
    await this.pool.query(
      'insert into state.search_collections (name, alias, shape, generation) values ($1, $2, $3, $4)',
      [name, alias, shape, generation],
    );
  }

  /** Has no effect if the process has lost the lease. */
  async advance(name: string, version: number): Promise<void> {
    await this.pool.query({
      name: 'shipping-advance',
      text: `update state.search_collections set version = $2
             where name = $1 and exists (select from state.search_sync where prefix = $3 and owner = $4)`,
      values: [name, version, this.prefix, this.owner],
    });
  }

  /** Makes the collection the searched one and forgets the others. */
  async serve(alias: string, name: string): Promise<void> {
    await this.pool.query(
      `with forgotten as (delete from state.search_collections where alias = $1 and name <> $2)
       update state.search_collections set is_serving = true where name = $2`,
      [alias, name],
    );
  }

  async forget(name: string): Promise<void> {
    await this.pool.query('delete from state.search_collections where name = $1', [name]);
  }

  /** Position of the search projection; changes whenever there may be new rows. */
  async readSidePosition(): Promise<ReadSidePosition | undefined> {
    const { rows } = await this.pool.query<ReadSidePosition>({
      name: 'shipping-read-side',
      text: `select generation, ordinal::float8 from read.projection_generations
             where name = 'search' and status = 'live'`,
    });
    return rows[0];
  }
}
