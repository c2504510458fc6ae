import { useQuery } from '@apollo/client/react';
import { useCallback } from 'react';
import { AnswerListDocument } from '../../generated/graphql';
import { mergePages } from '../../lib/merge-pages';
import { useNextPage } from '../../lib/use-next-page';

export const ANSWERS_PER_LOAD = 100;

/** The answers to a question, a hundred per load. */
export function useAnswers(questionId: string) {
  const { data, error, loading, fetchMore, refetch } = useQuery(AnswerListDocument, {
    variables: { questionId, page: 1, limit: ANSWERS_PER_LOAD },
    fetchPolicy: 'cache-and-network',
    nextFetchPolicy: 'cache-first',
  });
  const page = data?.getPaginatedAnswers;
  const nextPage = useNextPage(questionId, () =>
    fetchMore({
      variables: { page: (page?.page ?? 0) + 1 },
      updateQuery: (previous, { fetchMoreResult: { getPaginatedAnswers: next } }) => ({
        getPaginatedAnswers: { ...next, docs: mergePages(previous.getPaginatedAnswers.docs, next.docs) },
      }),
    }),
  );
  return {
    answers: page?.docs,
    error,
    isLoading: loading,
    hasMore: page !== undefined && page.page < page.totalPages,
    nextPage,
    refetch: useCallback(() => refetch(), [refetch]),
  };
}
