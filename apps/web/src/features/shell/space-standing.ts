import { skipToken, useQuery } from '@apollo/client/react';
import { SpaceStandingDocument, type SpaceStandingQuery } from '../../generated/graphql';
import { useSpaceStart } from '../../lib/api/use-space-start';
import { useCurrentSpace } from '../../lib/auth-storage';

interface SpaceStanding {
  isArchived: boolean;
  /** Null if the student is not suspended. */
  suspension: SpaceStandingQuery['getOwnSuspension'];
  /** Whether the student cannot write in the space. */
  onlyReads: boolean;
}

/** Why the student can only read in the current space, if so. Until it is loaded, nothing says so. */
export function useSpaceStanding(): SpaceStanding {
  const current = useCurrentSpace()?._id;
  const fetchPolicy = useSpaceStart(current);
  const { data } = useQuery(
    SpaceStandingDocument,
    current === undefined ? skipToken : { variables: { space: current }, fetchPolicy },
  );
  const isArchived = data?.getStudentSpaces.find(({ _id }) => _id === current)?.isArchived ?? false;
  const suspension = data?.getOwnSuspension ?? null;
  return { isArchived, suspension, onlyReads: isArchived || suspension !== null };
}
