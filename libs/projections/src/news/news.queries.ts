import {
  isoTime,
  openPage,
  type OpenPage,
  type Page,
  pageFrom,
  type PageRow,
  pageWindow,
  type Queryable,
} from '../queryable.js';
import { notOfRemovedSpace } from '../removed-space.sql.js';
import {
  authorColumns,
  type AuthorColumns,
  authorFrom,
  type AuthorView,
} from '../students/students.queries.js';
import { EVERYWHERE } from './news.projection.js';

export interface NewspostView {
  readonly _id: string;
  readonly title: string;
  /** Sanitised HTML. */
  readonly body: string;
  /** Liked by the viewer. */
  readonly liked: boolean;
  readonly saved: boolean;
  readonly likeCount: number;
  readonly createdAt: string;
  readonly editedAt: string | null;
  readonly author: AuthorView;
  /** Null for all spaces. */
  readonly space: { readonly _id: string; readonly name: string } | null;
}

export interface NewspostColumns extends AuthorColumns {
  newspost_id: string;
  title: string;
  body: string;
  liked: boolean;
  saved: boolean;
  likes: number;
  created: string;
  edited: string | null;
  space_id: string;
  space_name: string | null;
}

/** `n` is the newspost; `$1` is the viewer. */
const NEWSPOST = `
  n.newspost_id, n.title, n.body, coalesce(w.is_liked, false) as liked, coalesce(w.is_saved, false) as saved,
  coalesce(l.likes, 0)::int as likes, ${isoTime('n.created_at')} as created, ${isoTime('n.edited_at')} as edited,
  n.space_id, p.name as space_name, ${authorColumns('a', 'n.author_id')}`;
const JOINS = `
  left join read.newspost_reactions w on w.newspost_id = n.newspost_id and w.student_id = $1
  left join read.newspost_likes l on l.newspost_id = n.newspost_id
  left join read.spaces p on p.space_id = n.space_id
  left join read.students a on a.student_id = n.author_id`;

const newspostFrom = (row: NewspostColumns): NewspostView => ({
  _id: row.newspost_id,
  title: row.title,
  body: row.body,
  liked: row.liked,
  saved: row.saved,
  likeCount: row.likes,
  createdAt: row.created,
  editedAt: row.edited,
  author: authorFrom(row),
  space: row.space_id === EVERYWHERE ? null : { _id: row.space_id, name: row.space_name ?? '' },
});

export interface NewsPageOptions {
  readonly viewerId: string;
  /** Spaces to include, in addition to news for all spaces. */
  readonly spaceIds: readonly string[];
  /** Only what the viewer saved. */
  readonly isSaved?: boolean;
  readonly page?: number;
  readonly limit?: number;
}

const ORDER = 'n.created_at desc, n.newspost_id desc';
const SHOWN = 'n.space_id = any($2::text[]) and not n.is_removed';
const SAVED = `read.newspost_reactions s
  join read.newsposts n on n.newspost_id = s.newspost_id and s.student_id = $1 and s.is_saved`;

/** A page of news, newest first. Saved news are few and counted on read; the rest have maintained totals. */
export async function pageOfNews(
  db: Queryable,
  { viewerId, spaceIds, isSaved = false, page = 1, limit = 5 }: NewsPageOptions,
): Promise<Page<NewspostView>> {
  const source = isSaved ? SAVED : 'read.newsposts n';
  const total = isSaved
    ? `select count(*) from ${source} where ${SHOWN}`
    : 'select sum(posts) from read.newspost_totals where space_id = any($2::text[])';
  const { window, later, ...named } = pageWindow(`news-${isSaved ? 'saved' : 'all'}`, page, limit, '$3');
  const { rows } = await db.query<PageRow<NewspostColumns>>({
    ...named,
    text: `
      select coalesce((${total}), 0)::int as total, page.*
      from (values (1)) as always
      left join lateral (
        select ${NEWSPOST}, n.created_at
        from (select n.newspost_id from ${source} where ${SHOWN} order by ${ORDER} ${window}) hit
        join read.newsposts n on n.newspost_id = hit.newspost_id ${JOINS}
      ) page on true
      order by ${ORDER.replaceAll('n.', 'page.')}`,
    values: [viewerId, [EVERYWHERE, ...spaceIds], ...later],
  });
  return pageFrom(rows, { page, limit, idColumn: 'newspost_id' }, newspostFrom);
}

/** A newspost, or null if it is unknown or removed. */
export async function findNewspostById(
  db: Queryable,
  newspostId: string,
  viewerId: string,
): Promise<NewspostView | null> {
  const { rows } = await db.query<NewspostColumns>({
    name: 'newspost-by-id',
    text: `select ${NEWSPOST} from read.newsposts n ${JOINS} where n.newspost_id = $2 and not n.is_removed and ${notOfRemovedSpace('n.space_id')}`,
    values: [viewerId, newspostId],
  });
  return rows[0] ? newspostFrom(rows[0]) : null;
}

export interface ManagedNewspostView extends NewspostView {
  readonly isRemoved: boolean;
}

export interface ManagedNewsOptions {
  readonly viewerId: string;
  /** Filters by removal. Undefined returns both. */
  readonly isRemoved?: boolean | undefined;
  readonly page?: number;
  readonly limit?: number;
}

/** A page of the news of all spaces, newest first, including removed ones. */
export async function pageOfManagedNews(
  db: Queryable,
  { viewerId, isRemoved, page = 1, limit = 20 }: ManagedNewsOptions,
): Promise<OpenPage<ManagedNewspostView>> {
  const { rows } = await db.query<NewspostColumns & { is_removed: boolean }>({
    name: 'managed-news',
    text: `select ${NEWSPOST}, n.is_removed
           from read.newsposts n ${JOINS}
           where ($2::boolean is null or n.is_removed = $2) and ${notOfRemovedSpace('n.space_id')}
           order by n.created_at desc, n.newspost_id desc offset $3 limit $4`,
    values: [viewerId, isRemoved ?? null, (page - 1) * limit, limit + 1],
  });
  const docs = rows.map((row) => ({ ...newspostFrom(row), isRemoved: row.is_removed }));
  return openPage(docs, page, limit);
}
