import { useCallback } from 'react';
import { AnswerListDocument } from '../../generated/graphql';
import { usePagedList } from '../../lib/paged-list';
import { useWithQuestion } from '../questions/use-question';

export const ANSWERS_PER_LOAD = 100;

/** The answers to a question, a hundred per load. The first come with the question. */
export function useAnswers(questionId: string) {
  const { fetchPolicy, refetchAll } = useWithQuestion(questionId);
  const { rows, error, refetch, ...list } = usePagedList(
    AnswerListDocument,
    { questionId, page: 1, limit: ANSWERS_PER_LOAD },
    'getPaginatedAnswers',
    { fetchPolicy, isKept: true },
  );
  return {
    ...list,
    answers: rows,
    error,
    // Apollo counts as loaded what came with the question a moment before it hands it out.
    isAwaited: rows === undefined && error === undefined,
    // One request for both, where the question is read again as well.
    refetch: useCallback(() => (error ? refetch() : void refetchAll()), [error, refetch, refetchAll]),
  };
}
