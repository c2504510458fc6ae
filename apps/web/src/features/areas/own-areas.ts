import { useQuery } from '@apollo/client/react';
import { OwnRolesDocument } from '../../generated/graphql';

/** The parts of the product that are for others than students. */
export type Area = 'moderation' | 'audit' | 'maintenance';

interface HeldRole {
  role: string;
}

export function areasOf(roles: readonly HeldRole[]): Area[] {
  const holds = (wanted: string) => roles.some(({ role }) => role === wanted);
  const areas: Area[] = [];
  if (holds('MODERATOR')) areas.push('moderation');
  if (roles.length > 0) areas.push('audit');
  if (holds('MAINTAINER')) areas.push('maintenance');
  return areas;
}

/** The areas that are open to the caller; undefined until that is known. The api decides; this only hides what it would refuse. */
export function useOwnAreas(): readonly Area[] | undefined {
  const { data, error } = useQuery(OwnRolesDocument, { fetchPolicy: 'cache-and-network' });
  if (error) return [];
  return data && areasOf(data.getStudent?.roles ?? []);
}
