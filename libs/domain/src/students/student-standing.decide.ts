import {
  isAbove,
  mayLift,
  rankOf,
  requireActive,
  requireMaintainer,
  type ActingStudent,
  type Authority,
} from '../authority.js';
import { DomainError } from '../errors.js';
import type {
  Rank,
  Role,
  RoleGranted,
  RoleRevoked,
  SecondFactorReset,
  StudentBlocked,
  StudentUnblocked,
} from '../events.js';
import { optionalReason, requireReason } from '../validation/content.js';
import { requireStudent } from './require-student.js';
import { sameRole, type Student, type StudentState } from './student.state.js';

export type BlockStudent = { readonly by: Authority; readonly reason: string };

export const blockStudent = (
  { by, reason: given }: BlockStudent,
  state: StudentState,
): readonly StudentBlocked[] => {
  const student = requireStudent(state);
  const rank = requireRulerOver(by, student);
  const reason = requireReason(given);
  // A higher rank's takes the place of a lower one's, so that no lower rank lifts it.
  return student.blockedBy !== null && !isAbove(rank, student.blockedBy)
    ? []
    : [{ type: 'StudentBlocked', data: { studentId: student.studentId, reason, rank } }];
};

export type UnblockStudent = { readonly by: Authority; readonly reason?: string | null | undefined };

export const unblockStudent = (
  { by, reason: given }: UnblockStudent,
  state: StudentState,
): readonly StudentUnblocked[] => {
  const student = requireStudent(state);
  const rank = requireRulerOver(by, student);
  const reason = optionalReason(given);
  if (student.blockedBy === null) return [];
  if (!mayLift(rank, student.blockedBy)) throw new DomainError('BLOCKED_BY_HIGHER_RANK');
  const { studentId } = student;
  return [{ type: 'StudentUnblocked', data: { studentId, ...(reason !== undefined && { reason }) } }];
};

export type ResetSecondFactor = {
  readonly by: Authority;
  readonly reason: string;
  /** Whether there is one. It is no part of the log. */
  readonly isSetUp: boolean;
};

/** By another maintainer: with a stolen session nobody frees an account of its own factor. */
export const resetSecondFactor = (
  { by, reason: given, isSetUp }: ResetSecondFactor,
  state: StudentState,
): readonly SecondFactorReset[] => {
  requireMaintainer(by);
  const { studentId } = requireStudent(state);
  if (by.kind === 'student' && by.studentId === studentId) throw new DomainError('OWN_SECOND_FACTOR');
  const reason = requireReason(given);
  if (!isSetUp) throw new DomainError('SECOND_FACTOR_NOT_SET_UP');
  return [{ type: 'SecondFactorReset', data: { studentId, reason } }];
};

export type GrantRole = { readonly by: Authority; readonly role: Role; readonly spaceId: string | null };

export const grantRole = ({ by, role, spaceId }: GrantRole, state: StudentState): readonly RoleGranted[] => {
  requireMaintainer(by);
  const { studentId, registered, roles } = requireStudent(state);
  if (!registered) throw new DomainError('NOT_REGISTERED');
  const granted = assignment(role, spaceId);
  return roles.some((held) => sameRole(held, granted))
    ? []
    : [{ type: 'RoleGranted', data: { studentId, ...granted } }];
};

export type RevokeRole = GrantRole;

export const revokeRole = (
  { by, role, spaceId }: RevokeRole,
  state: StudentState,
): readonly RoleRevoked[] => {
  requireMaintainer(by);
  const { studentId, roles } = requireStudent(state);
  // So there is always one left: whoever revokes is a maintainer and stays one.
  if (role === 'MAINTAINER' && by.kind === 'student' && by.studentId === studentId)
    throw new DomainError('OWN_MAINTAINER_ROLE');
  const revoked = assignment(role, spaceId);
  return roles.some((held) => sameRole(held, revoked))
    ? [{ type: 'RoleRevoked', data: { studentId, ...revoked } }]
    : [];
};

/** A maintainer is one of all spaces. */
const assignment = (role: Role, spaceId: string | null) => ({
  role,
  spaceId: role === 'MAINTAINER' ? null : spaceId,
});

/** Accounts are the business of those who answer for all spaces: maintainers, and moderators of all of them. Others suspend in their own. */
export const rulesOverAccounts = (by: ActingStudent): boolean => {
  const rank = rankOf(by);
  return rank === 'MAINTAINER' || rank === 'MODERATOR_OF_ALL';
};

/** Nobody rules over oneself, an equal or somebody higher. @returns the rank that the act has */
const requireRulerOver = (by: Authority, student: Student): Rank => {
  if (by.kind === 'operator') return 'OPERATOR';
  requireActive(by);
  if (!rulesOverAccounts(by)) throw new DomainError('FORBIDDEN');
  if (by.studentId === student.studentId) throw new DomainError('OWN_ACCOUNT_BLOCK');
  const rank = rankOf(by);
  if (!isAbove(rank, rankOf(student))) throw new DomainError('NOT_ABOVE_IN_RANK');
  return rank;
};
