import { useQuery } from '@apollo/client/react';
import { useCallback } from 'react';
import { AnswerListDocument } from '../../generated/graphql';
import { mergePages } from '../../lib/merge-pages';
import { useNextPage } from '../../lib/use-next-page';
import { useWithQuestion } from '../questions/use-question';

export const ANSWERS_PER_LOAD = 100;

/** The answers to a question, a hundred per load. The first come with the question. */
export function useAnswers(questionId: string) {
  const { fetchPolicy, refetchAll } = useWithQuestion(questionId);
  const { data, error, fetchMore, refetch } = useQuery(AnswerListDocument, {
    variables: { questionId, page: 1, limit: ANSWERS_PER_LOAD },
    fetchPolicy,
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
    // Apollo counts as loaded what came with the question a moment before it hands it out.
    isAwaited: page === undefined && error === undefined,
    hasMore: page !== undefined && page.page < page.totalPages,
    nextPage,
    // One request for both, where the question is read again as well.
    refetch: useCallback(() => (error ? refetch() : refetchAll()), [error, refetch, refetchAll]),
  };
}
