import { DomainError } from './errors.js';
import type { Rank, Role } from './events.js';

export type RoleAssignment = { readonly role: Role; readonly spaceId: string | null };

/** The acting student, read from their stream or session, never from the input. */
export type ActingStudent = {
  readonly kind: 'student';
  readonly studentId: string;
  readonly registered: boolean;
  readonly blocked: boolean;
  readonly roles: readonly RoleAssignment[];
};

/** Command line, importer or first start: not a student, with at least the permissions of a maintainer. */
export type Operator = { readonly kind: 'operator' };
export const OPERATOR: Operator = { kind: 'operator' };
export type Authority = ActingStudent | Operator;

export const isModeratorOf = (actor: ActingStudent, spaceId: string): boolean =>
  actor.roles.some(
    ({ role, spaceId: scope }) => role === 'MODERATOR' && (scope === null || scope === spaceId),
  );

export const isMaintainer = (actor: ActingStudent): boolean =>
  actor.roles.some(({ role }) => role === 'MAINTAINER');

/** @throws DomainError STUDENT_BLOCKED, NOT_REGISTERED */
export const requireActive = (actor: ActingStudent): void => {
  if (actor.blocked) throw new DomainError('STUDENT_BLOCKED');
  if (!actor.registered) throw new DomainError('NOT_REGISTERED');
};

/** Membership of a space. A suspended member can read there but not take part. */
export type MembershipStatus = boolean | 'SUSPENDED';

export const requireMember = (actor: ActingStudent, isMember: MembershipStatus): void => {
  requireActive(actor);
  if (isMember === 'SUSPENDED') throw new DomainError('SUSPENDED_IN_SPACE');
  if (!isMember) throw new DomainError('NOT_A_MEMBER');
};

/** Maintainers are not moderators unless they have both roles. @throws DomainError */
export const requireModeratorOf = (actor: ActingStudent, spaceId: string): void => {
  requireActive(actor);
  if (!isModeratorOf(actor, spaceId)) throw new DomainError('FORBIDDEN');
};

/** Requires a moderator of the space, a maintainer or the operator. */
export const requireStaffOf = (by: Authority, spaceId: string): void => {
  if (by.kind === 'operator') return;
  requireActive(by);
  if (!isModeratorOf(by, spaceId) && !isMaintainer(by)) throw new DomainError('FORBIDDEN');
};

const RANKS: readonly Rank[] = ['STUDENT', 'MODERATOR', 'MODERATOR_OF_ALL', 'MAINTAINER', 'OPERATOR'];
const levelOf = (rank: Rank): number => RANKS.indexOf(rank);

/** Highest rank held anywhere, or in one space. */
export const rankOf = (who: Operator | Pick<ActingStudent, 'roles'>, spaceId?: string): Rank => {
  if (!('roles' in who)) return 'OPERATOR';
  if (who.roles.some(({ role }) => role === 'MAINTAINER')) return 'MAINTAINER';
  if (who.roles.some((held) => held.spaceId === null)) return 'MODERATOR_OF_ALL';
  const isModerator = who.roles.some((held) => spaceId === undefined || held.spaceId === spaceId);
  return isModerator ? 'MODERATOR' : 'STUDENT';
};

export const isAbove = (rank: Rank, other: Rank): boolean => levelOf(rank) > levelOf(other);

/** Whether a rank can lift a restriction imposed by another. */
export const mayLift = (rank: Rank, imposedBy: Rank): boolean => !isAbove(imposedBy, rank);

export const requireMaintainer = (by: Authority): void => {
  if (by.kind === 'operator') return;
  requireActive(by);
  if (!isMaintainer(by)) throw new DomainError('FORBIDDEN');
};
