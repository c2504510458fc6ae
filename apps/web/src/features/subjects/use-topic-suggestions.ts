import { skipToken, useQuery } from '@apollo/client/react';
import { SearchTopicsDocument, SubjectTopicsDocument } from '../../generated/graphql';

const SUGGESTIONS = 10;

/** Topics of a subject to choose from: all of them at first, those that are like the text once one types. */
export function useTopicSuggestions(space: string, subject: string | null, search: string) {
  const all = useQuery(SubjectTopicsDocument, subject === null ? skipToken : { variables: { subject } });
  const found = useQuery(
    SearchTopicsDocument,
    subject === null || search === ''
      ? skipToken
      : { variables: { search, space, subject, skip: 0, limit: SUGGESTIONS } },
  );
  const current = search === '' ? all : found;
  const known = all.data?.getSubjectTopics ?? [];
  const like = (found.data ?? found.previousData)?.searchTopics.hits ?? known;
  return {
    topics: search === '' ? known : like,
    isLoading: subject !== null && current.loading,
    error: current.data ? undefined : current.error,
    refetch: () => void current.refetch(),
  };
}
