import type { EventOf } from '@nimo/domain';
import { cleanHtml, RICH_TEXT_VERSION } from '@nimo/rich-text';
import type {
  Columns,
  CounterTable,
  Handler,
  Key,
  Projected,
  Projection,
  RowChange,
  RowOf,
  Table,
} from '../projection.js';

const NEWSPOST_COLUMNS = {
  newspost_id: { type: 'text' },
  space_id: { type: 'text' },
  author_id: { type: 'text' },
  title: { type: 'text' },
  /** Sanitised HTML, by the rules of `RICH_TEXT_VERSION`. */
  body: { type: 'text' },
  created_at: { type: 'timestamptz' },
  edited_at: { type: 'timestamptz', nullable: true },
  is_removed: { type: 'boolean' },
} as const satisfies Columns;

/** A newspost. An empty `space_id` publishes it in all spaces. */
export type NewspostRow = RowOf<typeof NEWSPOST_COLUMNS>;

const NEWSPOST_REACTION_COLUMNS = {
  newspost_id: { type: 'text' },
  student_id: { type: 'text' },
  is_liked: { type: 'boolean' },
  is_saved: { type: 'boolean' },
} as const satisfies Columns;

/** A student's reactions to a newspost. Exists only while there is one. */
export type NewspostReactionRow = RowOf<typeof NEWSPOST_REACTION_COLUMNS>;

export const EVERYWHERE = '';

const newNewspost = (data: EventOf<'NewspostPublished'>['data'], createdAt: string): NewspostRow => ({
  newspost_id: data.newspostId,
  space_id: data.spaceId ?? EVERYWHERE,
  author_id: data.authorId,
  title: data.title,
  body: cleanHtml(data.body),
  created_at: createdAt,
  edited_at: null,
  is_removed: false,
});

type OfNewspost = { readonly data: { readonly newspostId: string } };
const keyOfNewspost = ({ data }: OfNewspost): readonly Key[] => [[data.newspostId]];

const newsposts: Table<NewspostRow> = {
  name: 'newsposts',
  columns: NEWSPOST_COLUMNS,
  key: ['newspost_id'],
  indexes: [
    'create index newsposts_space_{suffix} on {table} (space_id, created_at desc, newspost_id desc) where not is_removed',
  ],
  on: {
    NewspostPublished: {
      keys: keyOfNewspost,
      fold: (_, { data, metadata }) => newNewspost(data, metadata.occurredAt),
    },
    NewspostChanged: {
      keys: keyOfNewspost,
      change: (row, { data, metadata }) => ({
        ...row,
        title: data.title,
        body: cleanHtml(data.body),
        edited_at: metadata.occurredAt,
      }),
    },
    NewspostRemoved: { keys: keyOfNewspost, change: (row) => ({ ...row, is_removed: true }) },
    NewspostRestored: { keys: keyOfNewspost, change: (row) => ({ ...row, is_removed: false }) },
  },
};

const NO_REACTION = { is_liked: false, is_saved: false };

const recordReaction = (
  reaction: Partial<typeof NO_REACTION>,
): Handler<
  NewspostReactionRow,
  Projected<'NewspostLiked' | 'NewspostUnliked' | 'NewspostSaved' | 'NewspostUnsaved'>
> => ({
  keys: ({ data }) => [[data.newspostId, data.studentId]],
  fold(row, _, [newspostId, studentId]) {
    const before = row ?? {
      newspost_id: String(newspostId),
      student_id: String(studentId),
      ...NO_REACTION,
    };
    const after = { ...before, ...reaction };
    return after.is_liked || after.is_saved ? after : undefined;
  },
});

const reactions: Table<NewspostReactionRow> = {
  name: 'newspost_reactions',
  columns: NEWSPOST_REACTION_COLUMNS,
  key: ['newspost_id', 'student_id'],
  indexes: ['create index newspost_reactions_saved_{suffix} on {table} (student_id) where is_saved'],
  on: {
    NewspostLiked: recordReaction({ is_liked: true }),
    NewspostUnliked: recordReaction({ is_liked: false }),
    NewspostSaved: recordReaction({ is_saved: true }),
    NewspostUnsaved: recordReaction({ is_saved: false }),
  },
};

const likes: CounterTable = {
  name: 'newspost_likes',
  key: ['newspost_id'],
  counters: ['likes'],
  source: 'newspost_reactions',
  increments({ key, before, after }: RowChange<NewspostReactionRow>) {
    const by = Number(after?.is_liked ?? false) - Number(before?.is_liked ?? false);
    return by === 0 ? [] : [{ key: [String(key[0])], by: { likes: by } }];
  },
};

const isShown = (row: NewspostRow | undefined): number => (row && !row.is_removed ? 1 : 0);

const totals: CounterTable = {
  name: 'newspost_totals',
  key: ['space_id'],
  counters: ['posts'],
  source: 'newsposts',
  increments({ before, after }: RowChange<NewspostRow>) {
    const row = after ?? before;
    const by = isShown(after) - isShown(before);
    return row === undefined || by === 0 ? [] : [{ key: [row.space_id], by: { posts: by } }];
  },
};

/** News by moderators and maintainers, with the students' reactions. */
export const newsProjection = {
  name: 'news',
  purpose: 'News, likes and saved news',
  // New sanitising rules require a rebuild.
  version: 1 + RICH_TEXT_VERSION,
  tables: [newsposts, reactions],
  counters: [likes, totals],
} as const satisfies Projection;
