import { useQuery } from '@apollo/client/react';
import { OwnRolesDocument } from '../../../generated/graphql';

/** Whether the caller moderates a space, to offer no other; the api decides. */
export function useOwnSpaces(): (spaceId: string) => boolean {
  const { data } = useQuery(OwnRolesDocument, { fetchPolicy: 'cache-first' });
  const roles = data?.getStudent?.roles ?? [];
  return (spaceId) =>
    roles.some(({ role, space }) => role === 'MODERATOR' && (space === null || space === spaceId));
}
