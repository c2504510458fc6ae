import { useQuery } from '@apollo/client/react';
import { useCallback } from 'react';
import { AnswerListDocument, type AnswerDetailFragment } from '../../generated/graphql';

export const ANSWERS_PER_LOAD = 100;

interface Answers {
  answers: readonly AnswerDetailFragment[] | undefined;
  error: Error | undefined;
  isLoading: boolean;
  hasMore: boolean;
  loadMore: () => void;
  refetch: () => Promise<unknown>;
}

/** The answers to a question, a hundred per load. */
export function useAnswers(questionId: string): Answers {
  const { data, error, loading, fetchMore, refetch } = useQuery(AnswerListDocument, {
    variables: { questionId, page: 1, limit: ANSWERS_PER_LOAD },
    fetchPolicy: 'cache-and-network',
    nextFetchPolicy: 'cache-first',
  });
  const page = data?.getPaginatedAnswers;
  const loadMore = () =>
    void fetchMore({
      variables: { page: (page?.page ?? 0) + 1 },
      updateQuery: (previous, { fetchMoreResult: { getPaginatedAnswers: next } }) => ({
        getPaginatedAnswers: { ...next, docs: [...previous.getPaginatedAnswers.docs, ...next.docs] },
      }),
    });
  return {
    answers: page?.docs,
    error,
    isLoading: loading,
    hasMore: page !== undefined && page.page < page.totalPages,
    loadMore,
    refetch: useCallback(() => refetch(), [refetch]),
  };
}
