import { openPage, type OpenPage, type Queryable } from '../queryable.js';
import { JOINS, NEWSPOST, newspostFrom, type NewspostColumns, type NewspostView } from './news.queries.js';

export interface ManagedNewspostView extends NewspostView {
  readonly isRemoved: boolean;
}

export interface ManagedNewsOptions {
  readonly viewerId: string;
  /** Only those that were removed, or only those that were not; both where it is left out. */
  readonly isRemoved?: boolean | undefined;
  readonly page?: number;
  readonly limit?: number;
}

/** News of all spaces and for everybody, the newest first, with what was removed. */
export async function pageOfManagedNews(
  db: Queryable,
  { viewerId, isRemoved, page = 1, limit = 20 }: ManagedNewsOptions,
): Promise<OpenPage<ManagedNewspostView>> {
  const { rows } = await db.query<NewspostColumns & { is_removed: boolean }>({
    name: 'managed-news',
    text: `select ${NEWSPOST}, n.is_removed
           from read.newsposts n ${JOINS}
           where $2::boolean is null or n.is_removed = $2
           order by n.created_at desc, n.newspost_id desc offset $3 limit $4`,
    values: [viewerId, isRemoved ?? null, (page - 1) * limit, limit + 1],
  });
  const docs = rows.map((row) => ({ ...newspostFrom(row), isRemoved: row.is_removed }));
  return openPage(docs, page, limit);
}
