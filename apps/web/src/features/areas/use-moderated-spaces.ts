import { useQuery } from '@apollo/client/react';
import { AsOfSpacesDocument, type AsOfSpacesQuery, OwnRolesDocument } from '../../generated/graphql';

export type ModeratedSpace = AsOfSpacesQuery['getSpaces'][number];

interface HeldRole {
  readonly role: string;
  readonly space?: string | null;
}

/** Whether the roles include moderating the space. A maintainer role alone does not. */
export const moderates = (roles: readonly HeldRole[], spaceId: string): boolean =>
  roles.some(
    ({ role, space }) => role === 'MODERATOR' && (space === null || space === undefined || space === spaceId),
  );

/** Spaces the caller moderates; undefined while loading. */
export function useModeratedSpaces() {
  const own = useQuery(OwnRolesDocument, { fetchPolicy: 'cache-and-network' });
  const all = useQuery(AsOfSpacesDocument, { fetchPolicy: 'cache-and-network' });
  const roles = own.data?.getStudent?.roles;
  const spaces = all.data?.getSpaces;
  return {
    spaces: roles && spaces?.filter(({ _id }) => moderates(roles, _id)),
    error: own.error ?? all.error,
    refetch: () => void Promise.all([own.refetch(), all.refetch()]),
  };
}
