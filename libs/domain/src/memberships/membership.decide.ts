import {
  isAbove,
  mayLift,
  rankOf,
  requireActive,
  requireModeratorOf,
  type ActingStudent,
  type Authority,
} from '../authority.js';
import { DomainError } from '../errors.js';
import { requireAdmission } from './consent.decide.js';
import type {
  InvitationUsed,
  MemberSuspended,
  Rank,
  SpaceEntry,
  SpaceJoined,
  SpaceLeft,
  SuspensionLifted,
} from '../events.js';
import { optionalReason, requireReason } from '../validation/content.js';
import type { MembershipState } from './membership.state.js';

export type JoinSpace = {
  readonly actor: ActingStudent;
  readonly spaceId: string;
  /** Of the space as it is now; undefined where there is none. */
  readonly entry: SpaceEntry | undefined;
  readonly consentAge?: number | null | undefined;
  /** A history that happened elsewhere is told again. */
  readonly isInvited?: boolean;
  /** A link, a code, a list or a rule was found good. */
  readonly invitationId?: string | undefined;
};

export const joinSpace = (
  { actor, spaceId, entry, consentAge = null, isInvited = false, invitationId }: JoinSpace,
  state: MembershipState,
): readonly (InvitationUsed | SpaceJoined)[] => {
  requireActive(actor);
  if (entry === undefined || (entry === 'IMPORTING' && !isInvited)) throw new DomainError('SPACE_NOT_FOUND');
  if (state.isMember) return [];
  if (entry !== 'OPEN') requireWayIn(entry, isInvited || invitationId !== undefined, state);
  if (!isInvited) requireAdmission(actor, spaceId, consentAge, state);
  const data = { spaceId, studentId: actor.studentId };
  const joined: SpaceJoined = { type: 'SpaceJoined', data };
  return invitationId === undefined
    ? [joined]
    : [{ type: 'InvitationUsed', data: { ...data, invitationId } }, joined];
};

const requireWayIn = (
  entry: Exclude<SpaceEntry, 'OPEN'>,
  isInvited: boolean,
  { wasRemoved, isInvited: isNamed }: MembershipState,
): void => {
  // Who was removed before is meant all the same.
  if (isNamed) return;
  if (wasRemoved) throw new DomainError('REMOVED_FROM_SPACE');
  if (isInvited) return;
  throw new DomainError(entry === 'REQUEST' ? 'SPACE_NEEDS_REQUEST' : 'SPACE_NEEDS_INVITATION');
};

export type LeaveSpace = { readonly actor: ActingStudent; readonly spaceId: string };

/** Posts and score stay. */
export const leaveSpace = ({ actor, spaceId }: LeaveSpace, state: MembershipState): readonly SpaceLeft[] => {
  requireActive(actor);
  return state.isMember ? [{ type: 'SpaceLeft', data: { spaceId, studentId: actor.studentId } }] : [];
};

export type SuspendMember = {
  readonly by: Authority;
  readonly spaceId: string;
  /** Who is to be suspended, with the roles they hold. */
  readonly student: Pick<ActingStudent, 'studentId' | 'roles'>;
  readonly reason: string;
};

/** By those who moderate the space. The student reads on, and asks, answers, comments, votes and reports nothing there. */
export const suspendMember = (command: SuspendMember, state: MembershipState): readonly MemberSuspended[] => {
  const { spaceId, student } = command;
  const rank = requireRulerInSpace(command);
  const reason = requireReason(command.reason);
  if (!state.isMember) throw new DomainError('STUDENT_NOT_FOUND');
  // As with blocks, a higher rank's takes the place of a lower one's.
  if (state.suspendedBy !== null && !isAbove(rank, state.suspendedBy)) return [];
  return [{ type: 'MemberSuspended', data: { spaceId, studentId: student.studentId, reason, rank } }];
};

export type LiftSuspension = Omit<SuspendMember, 'reason'> & { readonly reason?: string | null | undefined };

export const liftSuspension = (
  command: LiftSuspension,
  { suspendedBy }: MembershipState,
): readonly SuspensionLifted[] => {
  const { spaceId, student } = command;
  const rank = requireRulerInSpace(command);
  const reason = optionalReason(command.reason) ?? null;
  if (suspendedBy === null) return [];
  if (!mayLift(rank, suspendedBy)) throw new DomainError('BLOCKED_BY_HIGHER_RANK');
  return [{ type: 'SuspensionLifted', data: { spaceId, studentId: student.studentId, reason } }];
};

/** @returns the rank that the act has */
const requireRulerInSpace = ({ by, spaceId, student }: Omit<SuspendMember, 'reason'>): Rank => {
  if (by.kind === 'operator') return 'OPERATOR';
  requireModeratorOf(by, spaceId);
  if (by.studentId === student.studentId) throw new DomainError('OWN_ACCOUNT_BLOCK');
  const rank = rankOf(by, spaceId);
  if (!isAbove(rank, rankOf(student, spaceId))) throw new DomainError('NOT_ABOVE_IN_RANK');
  return rank;
};
