import { useQuery } from '@apollo/client/react';
import { OwnRolesDocument } from '../../generated/graphql';

/** Parts of the product for staff. */
export type Area = 'moderation' | 'audit' | 'maintenance';

interface HeldRole {
  role: string;
}

export function areasOf(roles: readonly HeldRole[]): Area[] {
  const holds = (name: string) => roles.some(({ role }) => role === name);
  const areas: Area[] = [];
  if (holds('MODERATOR')) areas.push('moderation');
  if (roles.length > 0) areas.push('audit');
  if (holds('MAINTAINER')) areas.push('maintenance');
  return areas;
}

/** Areas open to the caller; undefined while loading. Only hides links; the API enforces access. */
export function useOwnAreas(): readonly Area[] | undefined {
  const { data, error } = useQuery(OwnRolesDocument, { fetchPolicy: 'cache-and-network' });
  if (error) return [];
  return data && areasOf(data.getStudent?.roles ?? []);
}
