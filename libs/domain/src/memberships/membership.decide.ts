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
  /** Current value of the space; undefined if there is no such space. */
  readonly entry: SpaceEntry | undefined;
  readonly consentAge?: number | null | undefined;
  /** Set by imports, which replay the history of another community. */
  readonly isInvited?: boolean;
  /** Verified link, code, list or rule. */
  readonly invitationId?: string | undefined;
};

export const joinSpace = (
  { actor, spaceId, entry, consentAge = null, isInvited = false, invitationId }: JoinSpace,
  state: MembershipState,
): readonly (InvitationUsed | SpaceJoined)[] => {
  requireActive(actor);
  if (entry === undefined || (entry === 'IMPORTING' && !isInvited)) throw new DomainError('SPACE_NOT_FOUND');
  if (state.isMember) return [];
  if (entry !== 'OPEN') requireInvitation(entry, isInvited || invitationId !== undefined, state);
  if (!isInvited) requireAdmission(actor, spaceId, consentAge, state);
  const data = { spaceId, studentId: actor.studentId };
  const joined: SpaceJoined = { type: 'SpaceJoined', data };
  return invitationId === undefined
    ? [joined]
    : [{ type: 'InvitationUsed', data: { ...data, invitationId } }, joined];
};

const requireInvitation = (
  entry: Exclude<SpaceEntry, 'OPEN'>,
  isInvited: boolean,
  { wasRemoved, isInvited: isInvitedByName }: MembershipState,
): void => {
  // A personal invitation readmits even a removed member.
  if (isInvitedByName) return;
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
  /** The student to suspend, with their roles. */
  readonly student: Pick<ActingStudent, 'studentId' | 'roles'>;
  readonly reason: string;
};

/** By moderators of the space. A suspended student can read there, but not ask, answer, comment, vote or report. */
export const suspendMember = (command: SuspendMember, state: MembershipState): readonly MemberSuspended[] => {
  const { spaceId, student } = command;
  const rank = requireAuthorityInSpace(command);
  const reason = requireReason(command.reason);
  if (!state.isMember) throw new DomainError('STUDENT_NOT_FOUND');
  // Like a block, a suspension by a higher rank replaces one by a lower rank.
  if (state.suspendedBy !== null && !isAbove(rank, state.suspendedBy)) return [];
  return [{ type: 'MemberSuspended', data: { spaceId, studentId: student.studentId, reason, rank } }];
};

export type LiftSuspension = Omit<SuspendMember, 'reason'> & { readonly reason?: string | null | undefined };

export const liftSuspension = (
  command: LiftSuspension,
  { suspendedBy }: MembershipState,
): readonly SuspensionLifted[] => {
  const { spaceId, student } = command;
  const rank = requireAuthorityInSpace(command);
  const reason = optionalReason(command.reason) ?? null;
  if (suspendedBy === null) return [];
  if (!mayLift(rank, suspendedBy)) throw new DomainError('BLOCKED_BY_HIGHER_RANK');
  return [{ type: 'SuspensionLifted', data: { spaceId, studentId: student.studentId, reason } }];
};

/** @returns the rank of the actor @throws DomainError */
const requireAuthorityInSpace = ({ by, spaceId, student }: Omit<SuspendMember, 'reason'>): Rank => {
  if (by.kind === 'operator') return 'OPERATOR';
  requireModeratorOf(by, spaceId);
  if (by.studentId === student.studentId) throw new DomainError('OWN_ACCOUNT_BLOCK');
  const rank = rankOf(by, spaceId);
  if (!isAbove(rank, rankOf(student, spaceId))) throw new DomainError('NOT_ABOVE_IN_RANK');
  return rank;
};
