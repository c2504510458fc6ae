import { skipToken, useQuery } from '@apollo/client/react';
import { SpaceSubjectsDocument } from '../../generated/graphql';

/** The subjects of a space; nothing is asked for while there is none. */
export function useSubjects(space: string | null) {
  const { data, loading, error, refetch } = useQuery(
    SpaceSubjectsDocument,
    space === null ? skipToken : { variables: { space } },
  );
  return {
    subjects: data?.getSubjectsForSpace ?? [],
    isLoading: loading,
    error: data ? undefined : error,
    refetch: () => void refetch(),
  };
}
