import { isMaintainer, isModeratorOf, type ActingStudent, type Role } from '@nimo/domain';

/** Who asks, as the access token says and nothing else. Sessions are those of registered students who are not blocked. */
export interface Viewer extends ActingStudent {
  readonly sessionId: string;
}

/** A maintainer may all that a moderator may. Without a space: the role in any space. */
export function hasRole(viewer: Viewer, role: Role, spaceId?: string): boolean {
  if (isMaintainer(viewer)) return true;
  if (role === 'MAINTAINER') return false;
  return spaceId === undefined
    ? viewer.roles.some((held) => held.role === 'MODERATOR')
    : isModeratorOf(viewer, spaceId);
}
