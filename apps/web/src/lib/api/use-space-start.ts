import { skipToken, useQuery } from '@apollo/client/react';
import { SpaceStartDocument } from '../../generated/graphql';

/**
 * What every screen of a space needs of the signed-in person, in one request for all who need any of it.
 * @returns how they are to read their part: from what that request brings, and by themselves where it brought nothing
 */
export function useSpaceStart(space: string | undefined): 'standby' | 'cache-first' {
  const { data, error } = useQuery(
    SpaceStartDocument,
    space === undefined ? skipToken : { variables: { space } },
  );
  return space !== undefined && !data && !error ? 'standby' : 'cache-first';
}
