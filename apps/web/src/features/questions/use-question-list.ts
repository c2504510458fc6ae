import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { NavigationType, useNavigationType } from 'react-router-dom';
import { QuestionListDocument, type QuestionCardFragment } from '../../generated/graphql';
import { useAuthUser } from '../../lib/auth-storage';
import { mergePages } from '../../lib/merge-pages';
import { useNextPage } from '../../lib/use-next-page';
import { useHiddenPosts } from '../reports/hidden-posts';
import { queryOf, type QuestionFilters } from './question-filters';

interface QuestionList {
  questions: readonly QuestionCardFragment[] | undefined;
  /** Why the list, or its newest state, is not there. */
  error: Error | undefined;
  refetch: () => void;
  hasMore: boolean;
  nextPage: ReturnType<typeof useNextPage>;
}

/** The questions of a space under some filters, twenty a page, without those hidden from the student. */
export function useQuestionList(space: string, filters: QuestionFilters): QuestionList {
  // Somebody who comes back finds the list as it was, further pages included; everybody else a fresh one.
  const navigationType = useNavigationType();
  const [cameBack] = useState(navigationType === NavigationType.Pop);
  const variables = queryOf(filters, space);
  const { data, error, refetch, fetchMore } = useQuery(QuestionListDocument, {
    variables,
    fetchPolicy: cameBack ? 'cache-first' : 'cache-and-network',
    nextFetchPolicy: 'cache-first',
    notifyOnNetworkStatusChange: true,
  });
  const hidden = useHiddenPosts(useAuthUser()?._id, 'QUESTION');
  const page = data?.getPaginatedQuestions;
  const nextPage = useNextPage(JSON.stringify(variables), () =>
    fetchMore({
      variables: { page: (page?.page ?? 0) + 1 },
      updateQuery: (previous, { fetchMoreResult: { getPaginatedQuestions: next } }) => ({
        getPaginatedQuestions: { ...next, docs: mergePages(previous.getPaginatedQuestions.docs, next.docs) },
      }),
    }),
  );
  return {
    questions: page?.docs.filter(({ _id }) => !hidden.has(_id)),
    error,
    refetch: () => void refetch(),
    hasMore: page !== undefined && page.page < page.totalPages,
    nextPage,
  };
}
