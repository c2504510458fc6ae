import type { EventOf } from '@nimo/domain';
import { RICH_TEXT_VERSION } from '../rich-text/rules.js';
import { cleanHtml } from '../rich-text/sanitise.js';
import type { CounterTable, Key, ProjectedEvent, Projection, RowChange, Table } from '../projection.js';

/** An empty `space_id` means for everybody, whatever the space. */
export type NewspostRow = {
  readonly newspost_id: string;
  readonly space_id: string;
  readonly author_id: string;
  readonly title: string;
  /** Sanitised HTML, by the rules of `RICH_TEXT_VERSION`. */
  readonly body: string;
  readonly created_at: string;
  readonly edited_at: string | null;
  readonly is_removed: boolean;
};

/** What a student has done with a newspost, as long as it is anything. */
export type NewspostReactionRow = {
  readonly newspost_id: string;
  readonly student_id: string;
  readonly is_liked: boolean;
  readonly is_saved: boolean;
};

export const EVERYWHERE = '';

const publishedAs = (data: EventOf<'NewspostPublished'>['data'], createdAt: string): NewspostRow => ({
  newspost_id: data.newspostId,
  space_id: data.spaceId ?? EVERYWHERE,
  author_id: data.authorId,
  title: data.title,
  body: cleanHtml(data.body),
  created_at: createdAt,
  edited_at: null,
  is_removed: false,
});

const newsposts: Table<NewspostRow> = {
  name: 'newsposts',
  columns: {
    newspost_id: { type: 'text' },
    space_id: { type: 'text' },
    author_id: { type: 'text' },
    title: { type: 'text' },
    body: { type: 'text' },
    created_at: { type: 'timestamptz' },
    edited_at: { type: 'timestamptz', nullable: true },
    is_removed: { type: 'boolean' },
  },
  key: ['newspost_id'],
  indexes: [
    'create index newsposts_space_{suffix} on {table} (space_id, created_at desc, newspost_id desc) where not is_removed',
  ],
  keysOf(event): readonly Key[] {
    switch (event.type) {
      case 'NewspostPublished':
      case 'NewspostChanged':
      case 'NewspostRemoved':
      case 'NewspostRestored':
        return [[event.data.newspostId]];
      default:
        return [];
    }
  },
  fold(row, event) {
    switch (event.type) {
      case 'NewspostPublished':
        return publishedAs(event.data, event.metadata.occurredAt);
      case 'NewspostChanged':
        return (
          row && {
            ...row,
            title: event.data.title,
            body: cleanHtml(event.data.body),
            edited_at: event.metadata.occurredAt,
          }
        );
      case 'NewspostRemoved':
        return row && { ...row, is_removed: true };
      case 'NewspostRestored':
        return row && { ...row, is_removed: false };
      default:
        return row;
    }
  },
};

const reactions: Table<NewspostReactionRow> = {
  name: 'newspost_reactions',
  columns: {
    newspost_id: { type: 'text' },
    student_id: { type: 'text' },
    is_liked: { type: 'boolean' },
    is_saved: { type: 'boolean' },
  },
  key: ['newspost_id', 'student_id'],
  indexes: ['create index newspost_reactions_saved_{suffix} on {table} (student_id) where is_saved'],
  keysOf(event): readonly Key[] {
    switch (event.type) {
      case 'NewspostLiked':
      case 'NewspostUnliked':
      case 'NewspostSaved':
      case 'NewspostUnsaved':
        return [[event.data.newspostId, event.data.studentId]];
      default:
        return [];
    }
  },
  fold(row, event, [newspostId, studentId]) {
    const before = row ?? {
      newspost_id: String(newspostId),
      student_id: String(studentId),
      is_liked: false,
      is_saved: false,
    };
    const after = reacted(before, event);
    return after.is_liked || after.is_saved ? after : undefined;
  },
};

function reacted(row: NewspostReactionRow, { type }: ProjectedEvent): NewspostReactionRow {
  switch (type) {
    case 'NewspostLiked':
      return { ...row, is_liked: true };
    case 'NewspostUnliked':
      return { ...row, is_liked: false };
    case 'NewspostSaved':
      return { ...row, is_saved: true };
    case 'NewspostUnsaved':
      return { ...row, is_saved: false };
    default:
      return row;
  }
}

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

/** What moderators and maintainers tell the students, and what these think of it. */
export const newsProjection = {
  name: 'news',
  purpose: 'News, likes and saved news',
  // Bodies of other rules are not served: they are built anew.
  version: 1 + RICH_TEXT_VERSION,
  tables: [newsposts, reactions],
  counters: [likes, totals],
} as const satisfies Projection;
