import { useQuery } from '@apollo/client/react';
import { NewsDocument } from '../../generated/graphql';
import { mergePages } from '../../lib/merge-pages';
import { useListPolicy } from '../../lib/use-list-policy';
import { useNextPage } from '../../lib/use-next-page';

/** The news loaded so far, five a page, and the way to the next. Without a space: of all that the student has joined. */
export function useNews(space: string | undefined, saved: boolean) {
  const { data, error, fetchMore, refetch } = useQuery(NewsDocument, {
    variables: { space: space ?? null, saved, page: 1 },
    ...useListPolicy(),
  });
  const news = data?.getPaginatedNewsposts;
  const hasMore = news !== undefined && news.page < news.totalPages;
  const nextPage = useNextPage(`${space}:${saved}`, () =>
    fetchMore({
      variables: { page: (news?.page ?? 0) + 1 },
      updateQuery: ({ getPaginatedNewsposts: loaded }, { fetchMoreResult }) => {
        const next = fetchMoreResult.getPaginatedNewsposts;
        return { getPaginatedNewsposts: { ...next, docs: mergePages(loaded.docs, next.docs) } };
      },
    }),
  );
  return { posts: news?.docs, error, hasMore, nextPage, refetch: () => void refetch() };
}
