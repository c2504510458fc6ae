import { useQuery } from '@apollo/client/react';
import { OwnRolesDocument } from '../../../generated/graphql';
import type { CurrentSpace } from '../../../lib/auth-storage';

/** Audience of news: the current space or all spaces. */
export type NewsPlace = 'space' | 'everywhere';

interface HeldRole {
  role: string;
  space: string | null;
}

export function newsPlaces(roles: readonly HeldRole[], space: string | undefined): NewsPlace[] {
  const forAll = roles.some(
    ({ role, space: of }) => role === 'MAINTAINER' || (role === 'MODERATOR' && of === null),
  );
  const here = forAll || roles.some(({ role, space: of }) => role === 'MODERATOR' && of === space);
  const places: NewsPlace[] = [];
  if (here && space !== undefined) places.push('space');
  if (forAll) places.push('everywhere');
  return places;
}

/** Where the student may write news; nowhere for most. The API enforces it; this only hides the button. */
export function useNewsPlaces(space: CurrentSpace | null): NewsPlace[] {
  const { data } = useQuery(OwnRolesDocument);
  return newsPlaces(data?.getStudent?.roles ?? [], space?._id);
}
