import { DomainError } from './errors.js';
import type { Rank, Role } from './events.js';

export type RoleAssignment = { readonly role: Role; readonly spaceId: string | null };

/** Who acts and what is known of them, as facts: read from their own stream or the session, never from the input. */
export type ActingStudent = {
  readonly kind: 'student';
  readonly studentId: string;
  readonly registered: boolean;
  readonly blocked: boolean;
  readonly roles: readonly RoleAssignment[];
};

/** The command line, the importer and the first start: no student, and allowed what a maintainer is and more. */
export type Operator = { readonly kind: 'operator' };
export const OPERATOR: Operator = { kind: 'operator' };
export type Authority = ActingStudent | Operator;

export const isModeratorOf = (actor: ActingStudent, spaceId: string): boolean =>
  actor.roles.some(({ role, spaceId: of }) => role === 'MODERATOR' && (of === null || of === spaceId));

export const isMaintainer = (actor: ActingStudent): boolean =>
  actor.roles.some(({ role }) => role === 'MAINTAINER');

/** Registered and not blocked: the least that any act needs. */
export const requireActive = (actor: ActingStudent): void => {
  if (actor.blocked) throw new DomainError('STUDENT_BLOCKED');
  if (!actor.registered) throw new DomainError('NOT_REGISTERED');
};

/** Somebody who is suspended in a space stays a member, and reads there. */
export type InSpace = boolean | 'SUSPENDED';

export const requireMember = (actor: ActingStudent, isMember: InSpace): void => {
  requireActive(actor);
  if (isMember === 'SUSPENDED') throw new DomainError('SUSPENDED_IN_SPACE');
  if (!isMember) throw new DomainError('NOT_A_MEMBER');
};

/** A maintainer is no moderator: who is to be both is granted both. */
export const requireModeratorOf = (actor: ActingStudent, spaceId: string): void => {
  requireActive(actor);
  if (!isModeratorOf(actor, spaceId)) throw new DomainError('FORBIDDEN');
};

/** Those who moderate the space, and maintainers: who may invite into it. */
export const requireStaffOf = (by: Authority, spaceId: string): void => {
  if (by.kind === 'operator') return;
  requireActive(by);
  if (!isModeratorOf(by, spaceId) && !isMaintainer(by)) throw new DomainError('FORBIDDEN');
};

const RANKS: readonly Rank[] = ['STUDENT', 'MODERATOR', 'MODERATOR_OF_ALL', 'MAINTAINER', 'OPERATOR'];
const heightOf = (rank: Rank): number => RANKS.indexOf(rank);

/** The highest that somebody is, anywhere; with a space, there. */
export const rankOf = (who: Operator | Pick<ActingStudent, 'roles'>, spaceId?: string): Rank => {
  if (!('roles' in who)) return 'OPERATOR';
  if (who.roles.some(({ role }) => role === 'MAINTAINER')) return 'MAINTAINER';
  if (who.roles.some((held) => held.spaceId === null)) return 'MODERATOR_OF_ALL';
  const isModerator = who.roles.some((held) => spaceId === undefined || held.spaceId === spaceId);
  return isModerator ? 'MODERATOR' : 'STUDENT';
};

export const isAbove = (rank: Rank, other: Rank): boolean => heightOf(rank) > heightOf(other);

/** Nobody lifts what a higher rank imposed. */
export const mayLift = (rank: Rank, imposedBy: Rank): boolean => !isAbove(imposedBy, rank);

export const requireMaintainer = (by: Authority): void => {
  if (by.kind === 'operator') return;
  requireActive(by);
  if (!isMaintainer(by)) throw new DomainError('FORBIDDEN');
};
