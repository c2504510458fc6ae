import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { NavigationType, useNavigationType } from 'react-router-dom';
import { QuestionListDocument, type QuestionCardFragment } from '../../generated/graphql';
import { useAuthUser } from '../../lib/auth-storage';
import { useHiddenPosts } from '../reports/hidden-posts';
import { queryOf, type QuestionFilters } from './question-filters';

interface QuestionList {
  questions: readonly QuestionCardFragment[] | undefined;
  error: Error | undefined;
  isLoadingMore: boolean;
  hasMore: boolean;
  loadMore: () => void;
  refetch: () => void;
}

/** The questions of a space under some filters, twenty a page, without those hidden from the student. */
export function useQuestionList(space: string, filters: QuestionFilters): QuestionList {
  // Somebody who comes back finds the list as it was, further pages included; everybody else a fresh one.
  const navigationType = useNavigationType();
  const [cameBack] = useState(navigationType === NavigationType.Pop);
  const { data, error, refetch, fetchMore } = useQuery(QuestionListDocument, {
    variables: queryOf(filters, space),
    fetchPolicy: cameBack ? 'cache-first' : 'cache-and-network',
    nextFetchPolicy: 'cache-first',
    notifyOnNetworkStatusChange: true,
  });
  const [isLoadingMore, setIsLoadingMore] = useState(false);
  const hidden = useHiddenPosts(useAuthUser()?._id, 'QUESTION');
  const page = data?.getPaginatedQuestions;
  const hasMore = page !== undefined && page.page < page.totalPages;
  const loadMore = () => {
    if (!hasMore || isLoadingMore) return;
    setIsLoadingMore(true);
    void fetchMore({
      variables: { page: page.page + 1 },
      updateQuery: (previous, { fetchMoreResult: { getPaginatedQuestions: next } }) => ({
        getPaginatedQuestions: { ...next, docs: merged(previous.getPaginatedQuestions.docs, next.docs) },
      }),
    }).finally(() => setIsLoadingMore(false));
  };
  return {
    questions: page?.docs.filter(({ _id }) => !hidden.has(_id)),
    error,
    isLoadingMore,
    hasMore,
    loadMore,
    refetch: () => void refetch(),
  };
}

// A question asked meanwhile pushes others to the next page, where they come a second time.
function merged(known: readonly QuestionCardFragment[], next: readonly QuestionCardFragment[]) {
  const ids = new Set(known.map(({ _id }) => _id));
  return [...known, ...next.filter(({ _id }) => !ids.has(_id))];
}
