import { skipToken, useQuery } from '@apollo/client/react';
import { SpaceSubjectsDocument } from '../../generated/graphql';

/** The subjects of a space, where one is given. */
export function useSubjects(space: string | undefined) {
  const { data, loading, error, refetch } = useQuery(
    SpaceSubjectsDocument,
    space === undefined ? skipToken : { variables: { space } },
  );
  return {
    subjects: data?.getSubjectsForSpace ?? [],
    isLoading: loading,
    error: data ? undefined : error,
    refetch: () => void refetch(),
  };
}
