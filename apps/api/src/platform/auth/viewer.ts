import {
  type ActingStudent,
  isMaintainer,
  isModeratorOf,
  type Role,
  type RoleAssignment,
} from '@nimo/domain';
import { createHash, randomBytes } from 'node:crypto';

/** The authenticated caller. Only registered students who are not blocked have sessions. */
export interface Viewer extends ActingStudent {
  readonly sessionId: string;
  /** Roles withheld from this session until the second factor is verified. */
  readonly withheldRoles: readonly RoleAssignment[];
}

/** Whether the viewer has the role, in any space unless one is given. A maintainer is not implicitly a moderator. */
export function hasRole(viewer: Viewer, role: Role, spaceId?: string): boolean {
  if (role === 'MAINTAINER') return isMaintainer(viewer);
  return spaceId === undefined
    ? viewer.roles.some((held) => held.role === 'MODERATOR')
    : isModeratorOf(viewer, spaceId);
}

/** Whether only the second factor is missing. */
export const isRoleWithheld = (viewer: Viewer, role: Role): boolean =>
  !hasRole(viewer, role) && hasRole({ ...viewer, roles: viewer.withheldRoles }, role);

/** The spaces a student moderates. A moderator role without a space covers all of them. */
export function moderatedSpaces(viewer: ActingStudent): 'all' | readonly string[] {
  const spaces = viewer.roles.flatMap(({ role, spaceId }) => (role === 'MODERATOR' ? [spaceId] : []));
  return spaces.includes(null) ? 'all' : spaces.filter((spaceId) => spaceId !== null);
}

/** The individual spaces a viewer moderates; empty for a moderator of all spaces. */
export function namedSpaces(viewer: Viewer): readonly string[] {
  const spaces = moderatedSpaces(viewer);
  return spaces === 'all' ? [] : spaces;
}

const TOKEN_BYTES = 32;
const TOKEN_FORM = /^[\w-]{43}$/;

/** An opaque random token. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** Stored instead of the token, so that a leaked table opens no session. A fast hash is enough for random tokens. */
export const hashToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

export const isTokenShaped = (token: string): boolean => TOKEN_FORM.test(token);

/** The token of `Bearer <token>` or of a bare token. */
export const bearerToken = (authorization: string): string => authorization.replace(/^Bearer\s+/i, '').trim();
