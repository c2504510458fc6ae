import type { FreshRows, FreshTable, FreshWish } from '@nimo/projection-engine';
import { likes, newsProjection, type NewspostReactionRow, reactions } from './news.projection.js';
import type { NewspostView } from './news.queries.js';

/** Likes of news and saved news, as a `FreshReader` reads them. */
export const FRESH_REACTIONS: FreshTable = { projection: newsProjection, table: reactions, counter: likes };

/** How many like a newspost, and what the student has done with it. */
export const reactionsTo = (newspostId: string, studentId: string): FreshWish => ({
  counted: [newspostId],
  keys: [[newspostId, studentId]],
});

/** What reactions change of a newspost, as that student sees it. */
export function reactionsFrom({
  rows,
  counts,
}: FreshRows): Pick<NewspostView, 'liked' | 'saved' | 'likeCount'> {
  // One row of `reactions`, or none.
  const [own] = rows as readonly NewspostReactionRow[];
  return { liked: own?.is_liked ?? false, saved: own?.is_saved ?? false, likeCount: counts['likes'] ?? 0 };
}
