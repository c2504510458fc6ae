import { useQuery } from '@apollo/client/react';
import { QuestionListDocument, type QuestionCardFragment } from '../../generated/graphql';
import { useAuthUser } from '../../lib/auth-storage';
import { withPage } from '../../lib/merge-pages';
import { useListPolicy } from '../../lib/use-list-policy';
import { useMore } from '../../lib/use-more';
import type { NextPage } from '../../lib/use-next-page';
import { useUnfolded } from '../../lib/use-unfolded';
import { useHiddenPosts } from '../reports/hidden-posts';
import { useNewQuestions } from './use-new-questions';
import { queryOf, type QuestionFilters } from './question-filters';
import { useWholeQuestions } from './use-whole-questions';

interface QuestionList {
  questions: readonly QuestionCardFragment[] | undefined;
  /** Why the list, or its newest state, is not there. */
  error: Error | undefined;
  refetch: () => void;
  hasMore: boolean;
  nextPage: NextPage;
  /** How many have come since the list was read. */
  newCount: number;
  showNew: () => void;
}

/** The questions of a space under some filters, twenty a page, without those hidden from the student. */
export function useQuestionList(space: string, filters: QuestionFilters): QuestionList {
  const variables = queryOf(filters, space);
  const { data, error, refetch } = useQuery(QuestionListDocument, {
    variables,
    ...useListPolicy(),
    notifyOnNetworkStatusChange: true,
  });
  const hidden = useHiddenPosts(useAuthUser()?._id, 'QUESTION');
  const page = data?.getPaginatedQuestions;
  useWholeQuestions(page && { ...variables, page: page.page });
  const hasMore = page !== undefined && page.page < page.totalPages;
  const readMore = useMore(QuestionListDocument, variables);
  const { rows, nextPage } = useUnfolded({
    list: JSON.stringify(variables),
    rows: page?.docs,
    hasMore,
    fetchNext: () =>
      readMore({ page: (page?.page ?? 0) + 1, withFirst: false }, (loaded, more) => ({
        ...loaded,
        getPaginatedQuestions: withPage(loaded.getPaginatedQuestions, more.getPaginatedQuestions),
      })),
  });
  const { newCount, forget } = useNewQuestions(
    space,
    filters,
    rows?.map(({ _id }) => _id),
  );
  return {
    newCount,
    showNew: () => {
      forget();
      void refetch();
    },
    questions: rows?.filter(({ _id }) => !hidden.has(_id)),
    error,
    refetch: () => void refetch(),
    hasMore,
    nextPage,
  };
}
