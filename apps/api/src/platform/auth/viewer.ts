import {
  type ActingStudent,
  isMaintainer,
  isModeratorOf,
  type Role,
  type RoleAssignment,
} from '@nimo/domain';
import { createHash, randomBytes } from 'node:crypto';

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

const TOKEN_BYTES = 32;
const TOKEN_FORM = /^[\w-]{43}$/;

/** Opaque: it means nothing but a row in `state.session`. */
export const newToken = (): string => randomBytes(TOKEN_BYTES).toString('base64url');

/** What is stored: a copy of the table opens no session. A fast hash will do, as the token is random. */
export const hashOfToken = (token: string): string => createHash('sha256').update(token).digest('base64url');

export const isTokenShaped = (token: string): boolean => TOKEN_FORM.test(token);

/** `Bearer <token>` or the token alone. */
export const bearerOf = (authorization: string): string => authorization.replace(/^Bearer\s+/i, '').trim();
