import { useQuery } from '@apollo/client/react';
import { OwnRolesDocument, SpacesDocument, type SpacesQuery } from '../../generated/graphql';

type Space = SpacesQuery['getSpaces'][number];

/** The spaces whose moderator the caller is; undefined until that is known. */
export function useModeratedSpaces(): { spaces: readonly Space[] | undefined; error: unknown } {
  const roles = useQuery(OwnRolesDocument);
  const spaces = useQuery(SpacesDocument);
  const held = roles.data?.getStudent?.roles ?? [];
  const inAll = held.some(({ role, space }) => role === 'MAINTAINER' || space === null);
  const known = roles.data && spaces.data?.getSpaces;
  return {
    spaces: known?.filter(({ _id }) => inAll || held.some(({ space }) => space === _id)),
    error: roles.error ?? spaces.error,
  };
}
