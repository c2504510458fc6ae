import { skipToken, useQuery } from '@apollo/client/react';
import { SpaceStartDocument } from '../../generated/graphql';

/**
 * Loads what every screen of a space needs about the signed-in person, in one shared request.
 * @returns the fetch policy for each part: from that request, or from the network if it failed
 */
export function useSpaceStart(space: string | undefined): 'standby' | 'cache-first' {
  const { data, error } = useQuery(
    SpaceStartDocument,
    space === undefined ? skipToken : { variables: { space } },
  );
  return space !== undefined && !data && !error ? 'standby' : 'cache-first';
}
