import { useQuery } from '@apollo/client/react';
import { SpaceSubjectsDocument } from '../../generated/graphql';

/** The subjects of a space. */
export function useSubjects(space: string) {
  const { data, loading, error, refetch } = useQuery(SpaceSubjectsDocument, { variables: { space } });
  return {
    subjects: data?.getSubjectsForSpace ?? [],
    isLoading: loading,
    error: data ? undefined : error,
    refetch: () => void refetch(),
  };
}
