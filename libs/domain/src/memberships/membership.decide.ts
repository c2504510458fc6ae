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
import { MAX_REASON_LENGTH, MAX_SUSPENSION_DAYS, MAX_WARNINGS } from '../limits.js';
import { requireAdmission } from './consent.decide.js';
import type {
  InvitationUsed,
  MemberSuspended,
  MemberWarned,
  Rank,
  SpaceEntry,
  SpaceJoined,
  SpaceLeft,
  SuspensionLifted,
} from '../events.js';
import { optionalReason, requireReason, requireText } from '../validation/content.js';
import { type MembershipState, suspendedAt } from './membership.state.js';

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
  /** When it ends; null if it has to be lifted. */
  readonly until: string | null;
  readonly now: string;
};

/**
 * By moderators of the space. A suspended student can read there, but not ask, answer, comment, vote or report. A suspension replaces one
 * by the same or a lower rank.
 */
export const suspendMember = (command: SuspendMember, state: MembershipState): readonly MemberSuspended[] => {
  const { spaceId, student } = command;
  const rank = requireAuthorityInSpace(command);
  const reason = requireReason(command.reason);
  const until = requireEnd(command);
  if (!state.isMember) throw new DomainError('STUDENT_NOT_FOUND');
  const suspendedBy = suspendedAt(state, command.now);
  if (suspendedBy !== null && !mayLift(rank, suspendedBy)) throw new DomainError('SUSPENDED_BY_HIGHER_RANK');
  const data = { spaceId, studentId: student.studentId, reason, rank, isReasonShown: true } as const;
  return [{ type: 'MemberSuspended', data: { ...data, ...(until !== null && { until }) } }];
};

const DAY_MS = 86_400_000;

/** @returns the end in UTC, or null @throws DomainError SUSPENSION_END_INVALID */
const requireEnd = ({ until, now }: SuspendMember): string | null => {
  if (until === null) return null;
  const ahead = Date.parse(until) - Date.parse(now);
  if (!(ahead > 0 && ahead <= MAX_SUSPENSION_DAYS * DAY_MS))
    throw new DomainError('SUSPENSION_END_INVALID', { max: MAX_SUSPENSION_DAYS });
  return new Date(until).toISOString();
};

export type LiftSuspension = Omit<SuspendMember, 'reason' | 'until'> & {
  readonly reason?: string | null | undefined;
};

export const liftSuspension = (
  command: LiftSuspension,
  state: MembershipState,
): readonly SuspensionLifted[] => {
  const { spaceId, student } = command;
  const rank = requireAuthorityInSpace(command);
  const reason = optionalReason(command.reason) ?? null;
  const suspendedBy = suspendedAt(state, command.now);
  if (suspendedBy === null) return [];
  if (!mayLift(rank, suspendedBy)) throw new DomainError('BLOCKED_BY_HIGHER_RANK');
  return [{ type: 'SuspensionLifted', data: { spaceId, studentId: student.studentId, reason } }];
};

export type WarnMember = Pick<SuspendMember, 'by' | 'spaceId' | 'student'> & {
  readonly warningId: string;
  readonly text: string;
  /** Reported post that the warning is about. */
  readonly post: { readonly postId: string; readonly spaceId: string; readonly authorId: string } | null;
};

/** By moderators of the space, also while the student is suspended there. */
export const warnMember = (command: WarnMember, state: MembershipState): readonly MemberWarned[] => {
  const { spaceId, student, warningId, post } = command;
  const rank = requireAuthorityInSpace(command);
  const rule = { max: MAX_REASON_LENGTH, missing: 'WARNING_REQUIRED', tooLong: 'WARNING_TOO_LONG' } as const;
  const text = requireText(command.text, rule);
  if (!state.isMember) throw new DomainError('STUDENT_NOT_FOUND');
  if (post && (post.spaceId !== spaceId || post.authorId !== student.studentId))
    throw new DomainError('POST_NOT_FOUND');
  if (state.warnings >= MAX_WARNINGS) throw new DomainError('TOO_MANY_WARNINGS', { max: MAX_WARNINGS });
  const data = { spaceId, studentId: student.studentId, warningId, text, rank };
  return [{ type: 'MemberWarned', data: { ...data, ...(post && { postId: post.postId }) } }];
};

/** @returns the rank of the actor @throws DomainError */
const requireAuthorityInSpace = ({
  by,
  spaceId,
  student,
}: Pick<SuspendMember, 'by' | 'spaceId' | 'student'>): Rank => {
  if (by.kind === 'operator') return 'OPERATOR';
  requireModeratorOf(by, spaceId);
  if (by.studentId === student.studentId) throw new DomainError('OWN_ACCOUNT_BLOCK');
  const rank = rankOf(by, spaceId);
  if (!isAbove(rank, rankOf(student, spaceId))) throw new DomainError('NOT_ABOVE_IN_RANK');
  return rank;
};
