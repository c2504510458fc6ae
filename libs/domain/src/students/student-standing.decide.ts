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
  { by, reason: input }: BlockStudent,
  state: StudentState,
): readonly StudentBlocked[] => {
  const student = requireStudent(state);
  const rank = requireAuthorityOver(by, student);
  const reason = requireReason(input);
  // A block by a higher rank replaces one by a lower rank, so that the lower rank cannot lift it.
  return student.blockedBy !== null && !isAbove(rank, student.blockedBy)
    ? []
    : [{ type: 'StudentBlocked', data: { studentId: student.studentId, reason, rank } }];
};

export type UnblockStudent = { readonly by: Authority; readonly reason?: string | null | undefined };

export const unblockStudent = (
  { by, reason: input }: UnblockStudent,
  state: StudentState,
): readonly StudentUnblocked[] => {
  const student = requireStudent(state);
  const rank = requireAuthorityOver(by, student);
  const reason = optionalReason(input);
  if (student.blockedBy === null) return [];
  if (!mayLift(rank, student.blockedBy)) throw new DomainError('BLOCKED_BY_HIGHER_RANK');
  const { studentId } = student;
  return [{ type: 'StudentUnblocked', data: { studentId, ...(reason !== undefined && { reason }) } }];
};

export type ResetSecondFactor = {
  readonly by: Authority;
  readonly reason: string;
  /** Whether a second factor is set up, which the log does not record. */
  readonly isSetUp: boolean;
};

/** By another maintainer only, so that a stolen session cannot remove its own second factor. */
export const resetSecondFactor = (
  { by, reason: input, isSetUp }: ResetSecondFactor,
  state: StudentState,
): readonly SecondFactorReset[] => {
  requireMaintainer(by);
  const { studentId } = requireStudent(state);
  if (by.kind === 'student' && by.studentId === studentId) throw new DomainError('OWN_SECOND_FACTOR');
  const reason = requireReason(input);
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
  // Guarantees that at least one maintainer remains.
  if (role === 'MAINTAINER' && by.kind === 'student' && by.studentId === studentId)
    throw new DomainError('OWN_MAINTAINER_ROLE');
  const revoked = assignment(role, spaceId);
  return roles.some((held) => sameRole(held, revoked))
    ? [{ type: 'RoleRevoked', data: { studentId, ...revoked } }]
    : [];
};

/** The maintainer role always covers all spaces. */
const assignment = (role: Role, spaceId: string | null) => ({
  role,
  spaceId: role === 'MAINTAINER' ? null : spaceId,
});

/** Only maintainers and moderators of all spaces can block accounts. Others can suspend members of their space. */
export const mayBlockAccounts = (by: ActingStudent): boolean => {
  const rank = rankOf(by);
  return rank === 'MAINTAINER' || rank === 'MODERATOR_OF_ALL';
};

/** Requires a higher rank than the student has. @returns the rank of the actor @throws DomainError */
const requireAuthorityOver = (by: Authority, student: Student): Rank => {
  if (by.kind === 'operator') return 'OPERATOR';
  requireActive(by);
  if (!mayBlockAccounts(by)) throw new DomainError('FORBIDDEN');
  if (by.studentId === student.studentId) throw new DomainError('OWN_ACCOUNT_BLOCK');
  const rank = rankOf(by);
  if (!isAbove(rank, rankOf(student))) throw new DomainError('NOT_ABOVE_IN_RANK');
  return rank;
};
