import { useQuery } from '@apollo/client/react';
import { NewsDocument } from '../../generated/graphql';
import { withPage } from '../../lib/merge-pages';
import { useListPolicy } from '../../lib/use-list-policy';
import { useMore } from '../../lib/use-more';
import { useUnfolded } from '../../lib/use-unfolded';

/** The news loaded so far, five a page, and the way to the next. Without a space: of all that the student has joined. */
export function useNews(space: string | undefined, saved: boolean) {
  const variables = { space: space ?? null, saved, page: 1 };
  const { data, error, refetch } = useQuery(NewsDocument, { variables, ...useListPolicy() });
  const news = data?.getPaginatedNewsposts;
  const hasMore = news !== undefined && news.page < news.totalPages;
  const readMore = useMore(NewsDocument, variables);
  const { rows, nextPage } = useUnfolded({
    list: `${space}:${saved}`,
    rows: news?.docs,
    hasMore,
    fetchNext: () =>
      readMore({ page: (news?.page ?? 0) + 1 }, (loaded, more) => ({
        getPaginatedNewsposts: withPage(loaded.getPaginatedNewsposts, more.getPaginatedNewsposts),
      })),
  });
  return { posts: rows, error, hasMore, nextPage, refetch: () => void refetch() };
}
