import type { PostRef } from '@nimo/domain';
import {
  type Columns,
  type Key,
  type Projected,
  type RowOf,
  type Table,
  typedColumn,
} from '../projection.js';

type ListedPost = Pick<PostRef, 'postId' | 'postType' | 'questionId'>;

const REMOVAL_COLUMNS = {
  removal_id: { type: 'text' },
  space_id: { type: 'text' },
  author_id: { type: 'text' },
  posts: typedColumn<readonly ListedPost[]>('jsonb'),
  post_count: { type: 'integer' },
  moderator_id: { type: 'text' },
  /** Ordinal of the event, whose reason is in `staff_words`. */
  removed_ordinal: { type: 'bigint' },
  removed_at: { type: 'timestamptz' },
  restored_by: { type: 'text', nullable: true },
  restored_count: { type: 'integer', nullable: true },
  restored_ordinal: { type: 'bigint', nullable: true },
  restored_at: { type: 'timestamptz', nullable: true },
} as const satisfies Columns;

/** A removal of all posts of an author in a space. */
type RemovalRow = RowOf<typeof REMOVAL_COLUMNS>;

type OfRemoval = Projected<'PostsRemoved' | 'PostsRestored'>;
const keyOfRemoval = ({ data }: OfRemoval): readonly Key[] => [[data.removalId]];

export const removals: Table<RemovalRow> = {
  name: 'removals',
  columns: REMOVAL_COLUMNS,
  key: ['removal_id'],
  indexes: [
    'create index removals_author_{suffix} on {table} (author_id, space_id, removed_at desc)',
    'create index removals_latest_{suffix} on {table} (removed_ordinal desc)',
  ],
  on: {
    PostsRemoved: {
      keys: keyOfRemoval,
      fold: (_, { data, metadata, ordinal }) => ({
        removal_id: data.removalId,
        space_id: data.spaceId,
        author_id: data.authorId,
        posts: data.posts.map(({ postId, postType, questionId }) => ({ postId, postType, questionId })),
        post_count: data.posts.length,
        moderator_id: data.moderatorId,
        removed_ordinal: ordinal,
        removed_at: metadata.occurredAt,
        restored_by: null,
        restored_count: null,
        restored_ordinal: null,
        restored_at: null,
      }),
    },
    PostsRestored: {
      keys: keyOfRemoval,
      change: (row, { data, metadata, ordinal }) => ({
        ...row,
        restored_by: data.moderatorId,
        restored_count: data.posts.length,
        restored_ordinal: ordinal,
        restored_at: metadata.occurredAt,
      }),
    },
  },
};

const REMOVED_POST_COLUMNS = {
  post_id: { type: 'text' },
  removal_id: { type: 'text' },
  /** False until the removal reaches the post, which takes seconds. */
  is_upheld: { type: 'boolean' },
} as const satisfies Columns;

/** A post removed in a removal, until it is restored with the others or alone. */
type RemovedPostRow = RowOf<typeof REMOVED_POST_COLUMNS>;

const keysOfPosts = ({ data }: OfRemoval): readonly Key[] => data.posts.map(({ postId }) => [postId]);
const keyOfPost = ({ data }: Projected<'ReportsUpheld' | 'UpholdingReversed'>): readonly Key[] => [
  [data.postId],
];

export const removedPosts: Table<RemovedPostRow> = {
  name: 'removed_posts',
  columns: REMOVED_POST_COLUMNS,
  key: ['post_id'],
  on: {
    PostsRemoved: {
      keys: keysOfPosts,
      fold: (row, { data: { removalId } }, [postId]) =>
        row?.is_upheld ? row : { post_id: String(postId), removal_id: removalId, is_upheld: false },
    },
    // Posts that the removal did not reach, such as deleted ones, have no reversal.
    PostsRestored: {
      keys: keysOfPosts,
      change: (row, { data }) => (row.removal_id === data.removalId && !row.is_upheld ? undefined : row),
    },
    ReportsUpheld: {
      keys: keyOfPost,
      fold: (_, { data: { postId, removalId } }) =>
        removalId === undefined ? undefined : { post_id: postId, removal_id: removalId, is_upheld: true },
    },
    UpholdingReversed: { keys: keyOfPost, change: () => undefined },
  },
};
