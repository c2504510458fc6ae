import { skipToken, useQuery } from '@apollo/client/react';
import { SpaceSubjectsDocument } from '../../generated/graphql';

/** The subjects of a space. Sends no request without a space. */
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
