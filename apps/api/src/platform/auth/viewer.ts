import {
  isMaintainer,
  isModeratorOf,
  type ActingStudent,
  type Role,
  type RoleAssignment,
} from '@nimo/domain';

/** Who asks, as the access token says and nothing else. Sessions are those of registered students who are not blocked. */
export interface Viewer extends ActingStudent {
  readonly sessionId: string;
  /** Held, but not in this session before its second factor is given. */
  readonly withheldRoles: readonly RoleAssignment[];
}

/** A maintainer is no moderator without being granted both. Without a space: the role in any space. */
export function hasRole(viewer: Viewer, role: Role, spaceId?: string): boolean {
  if (role === 'MAINTAINER') return isMaintainer(viewer);
  return spaceId === undefined
    ? viewer.roles.some((held) => held.role === 'MODERATOR')
    : isModeratorOf(viewer, spaceId);
}

/** Whether the second factor is all that is missing. */
export const isRoleWithheld = (viewer: Viewer, role: Role): boolean =>
  !hasRole(viewer, role) && hasRole({ ...viewer, roles: viewer.withheldRoles }, role);

/** The spaces in which somebody moderates: all of them for a moderator without a named space. */
export function moderatedSpaces(viewer: ActingStudent): 'all' | readonly string[] {
  const spaces = viewer.roles.flatMap(({ role, spaceId }) => (role === 'MODERATOR' ? [spaceId] : []));
  return spaces.includes(null) ? 'all' : spaces.filter((spaceId) => spaceId !== null);
}

/** The spaces of somebody who moderates some; none for all of them, and for maintainers. */
export function namedSpaces(viewer: Viewer): readonly string[] {
  const spaces = moderatedSpaces(viewer);
  return spaces === 'all' ? [] : spaces;
}
