import { DomainError } from './errors.js';
import type { Role } from './events.js';

export type RoleAssignment = { readonly role: Role; readonly spaceId: string | null };

/** Who acts and what is known of them, as facts: read from their own stream or the session, never from the input. */
export type ActingStudent = {
  readonly kind: 'student';
  readonly studentId: string;
  readonly registered: boolean;
  readonly blocked: boolean;
  readonly roles: readonly RoleAssignment[];
};

/** The command line, the importer and the first start: no student, and allowed what a maintainer is. */
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

export const requireMember = (actor: ActingStudent, isMember: boolean): void => {
  requireActive(actor);
  if (!isMember) throw new DomainError('NOT_A_MEMBER');
};

/** A maintainer may all that a moderator may. */
export const mayModerate = (actor: ActingStudent, spaceId: string): boolean =>
  isModeratorOf(actor, spaceId) || isMaintainer(actor);

export const requireModeratorOf = (actor: ActingStudent, spaceId: string): void => {
  requireActive(actor);
  if (!mayModerate(actor, spaceId)) throw new DomainError('FORBIDDEN');
};

export const requireMaintainer = (by: Authority): void => {
  if (by.kind === 'operator') return;
  requireActive(by);
  if (!isMaintainer(by)) throw new DomainError('FORBIDDEN');
};
