import { useQuery } from '@apollo/client/react';
import { useCallback } from 'react';
import { AnswerListDocument } from '../../generated/graphql';
import { withPage } from '../../lib/merge-pages';
import { useMore } from '../../lib/use-more';
import { useUnfolded } from '../../lib/use-unfolded';
import { useWithQuestion } from '../questions/use-question';

const ANSWERS_PER_LOAD = 100;

/** The answers to a question, a hundred per load. The first come with the question. */
export function useAnswers(questionId: string) {
  const { fetchPolicy, refetchAll } = useWithQuestion(questionId);
  const variables = { questionId, page: 1, limit: ANSWERS_PER_LOAD };
  const { data, error, refetch } = useQuery(AnswerListDocument, { variables, fetchPolicy });
  const page = data?.getPaginatedAnswers;
  const hasMore = page !== undefined && page.page < page.totalPages;
  const readMore = useMore(AnswerListDocument, variables);
  const { rows, nextPage } = useUnfolded({
    list: questionId,
    rows: page?.docs,
    hasMore,
    isKept: true,
    fetchNext: () =>
      readMore({ page: (page?.page ?? 0) + 1 }, (loaded, more) => ({
        getPaginatedAnswers: withPage(loaded.getPaginatedAnswers, more.getPaginatedAnswers),
      })),
  });
  return {
    answers: rows,
    error,
    // Apollo counts as loaded what came with the question a moment before it hands it out.
    isAwaited: page === undefined && error === undefined,
    hasMore,
    nextPage,
    // One request for both, where the question is read again as well.
    refetch: useCallback(() => (error ? refetch() : refetchAll()), [error, refetch, refetchAll]),
  };
}
