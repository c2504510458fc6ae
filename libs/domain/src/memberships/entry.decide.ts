import {
  isAbove,
  isModeratorOf,
  rankOf,
  requireActive,
  requireModeratorOf,
  requireStaffOf,
  type ActingStudent,
  type Authority,
} from '../authority.js';
import { DomainError } from '../errors.js';
import { admissionTo, requireAdmission } from './consent.decide.js';
import type {
  EntryRequestAccepted,
  EntryRequested,
  EntryRequestRefused,
  EntryRequestWithdrawn,
  MemberRemoved,
  SpaceEntry,
  SpaceJoined,
  SpaceLeft,
  StudentInvitationRevoked,
  StudentInvited,
} from '../events.js';
import { MAX_ENTRY_TEXT_LENGTH } from '../limits.js';
import { optionalReason, requireReason, requireText } from '../validation/content.js';
import type { MembershipState } from './membership.state.js';

export type RequestEntry = {
  readonly actor: ActingStudent;
  readonly spaceId: string;
  /** Current value of the space; undefined if there is no such space. */
  readonly entry: SpaceEntry | undefined;
  readonly consentAge?: number | null | undefined;
  readonly text?: string | null | undefined;
};

/** Idempotent while a request is open. */
export const requestEntry = (
  { actor, spaceId, entry, consentAge = null, text }: RequestEntry,
  state: MembershipState,
): readonly EntryRequested[] => {
  const { isMember, hasRequested, wasRemoved } = state;
  requireActive(actor);
  if (entry === undefined || entry === 'IMPORTING') throw new DomainError('SPACE_NOT_FOUND');
  if (isMember || hasRequested) return [];
  if (entry === 'OPEN') throw new DomainError('SPACE_IS_OPEN');
  // Only a moderator can readmit a removed member, even if other students need an invitation.
  if (entry === 'INVITATION' && !wasRemoved) throw new DomainError('SPACE_NEEDS_INVITATION');
  requireAdmission(actor, spaceId, consentAge, state);
  const message = requireText(text ?? '', { max: MAX_ENTRY_TEXT_LENGTH, tooLong: 'ENTRY_TEXT_TOO_LONG' });
  return [
    {
      type: 'EntryRequested',
      data: { spaceId, studentId: actor.studentId, text: message === '' ? null : message },
    },
  ];
};

export type WithdrawEntryRequest = { readonly actor: ActingStudent; readonly spaceId: string };

export const withdrawEntryRequest = (
  { actor, spaceId }: WithdrawEntryRequest,
  { hasRequested }: MembershipState,
): readonly EntryRequestWithdrawn[] => {
  requireActive(actor);
  if (!hasRequested) return [];
  return [{ type: 'EntryRequestWithdrawn', data: { spaceId, studentId: actor.studentId } }];
};

export type AnswerEntryRequest = {
  readonly by: ActingStudent;
  readonly spaceId: string;
  readonly student: Pick<ActingStudent, 'studentId' | 'registered' | 'blocked'>;
  /** Current value of the space. */
  readonly consentAge?: number | null | undefined;
  readonly isAccepted: boolean;
  readonly reason?: string | null | undefined;
};

/** By moderators of the space, except for their own requests. The first answer counts. */
export const answerEntryRequest = (
  { by, spaceId, student, consentAge = null, isAccepted, reason }: AnswerEntryRequest,
  state: MembershipState,
): readonly (EntryRequestAccepted | EntryRequestRefused | SpaceJoined | StudentInvited)[] => {
  requireModeratorOf(by, spaceId);
  const { studentId } = student;
  if (by.studentId === studentId) throw new DomainError('FORBIDDEN');
  const shownReason = optionalReason(reason) ?? null;
  if (!state.hasRequested) throw new DomainError('ENTRY_NOT_REQUESTED');
  if (!isAccepted)
    return [{ type: 'EntryRequestRefused', data: { spaceId, studentId, reason: shownReason } }];
  if (!student.registered || student.blocked) throw new DomainError('STUDENT_NOT_FOUND');
  return acceptance({ spaceId, studentId }, consentAge, state);
};

/** Invites the student instead if their age or consent is missing. */
const acceptance = (
  data: SpaceJoined['data'],
  consentAge: number | null,
  state: MembershipState,
): readonly (EntryRequestAccepted | SpaceJoined | StudentInvited)[] => [
  { type: 'EntryRequestAccepted', data },
  { type: admissionTo(consentAge, state) === 'ADMITTED' ? 'SpaceJoined' : 'StudentInvited', data },
];

export type InviteStudent = {
  readonly by: Authority;
  readonly spaceId: string;
  readonly entry: SpaceEntry | undefined;
  readonly consentAge?: number | null | undefined;
  readonly student: Pick<ActingStudent, 'studentId' | 'registered' | 'blocked'>;
};

/** By staff of the space. Accepts an open request if a moderator or the operator invites. */
export const inviteStudent = (
  { by, spaceId, entry, consentAge = null, student }: InviteStudent,
  state: MembershipState,
): readonly (StudentInvited | EntryRequestAccepted | SpaceJoined)[] => {
  const { isMember, isInvited, hasRequested } = state;
  requireStaffOf(by, spaceId);
  if (entry === undefined || entry === 'IMPORTING') throw new DomainError('SPACE_NOT_FOUND');
  if (entry === 'OPEN') throw new DomainError('SPACE_IS_OPEN');
  if (!student.registered || student.blocked) throw new DomainError('STUDENT_NOT_FOUND');
  if (isMember || isInvited) return [];
  const data = { spaceId, studentId: student.studentId };
  const mayAnswer = by.kind === 'operator' || isModeratorOf(by, spaceId);
  return hasRequested && mayAnswer ? acceptance(data, consentAge, state) : [{ type: 'StudentInvited', data }];
};

export type RevokeStudentInvitation = {
  readonly by: Authority;
  readonly spaceId: string;
  readonly studentId: string;
};

export const revokeStudentInvitation = (
  { by, spaceId, studentId }: RevokeStudentInvitation,
  { isInvited }: MembershipState,
): readonly StudentInvitationRevoked[] => {
  requireStaffOf(by, spaceId);
  return isInvited ? [{ type: 'StudentInvitationRevoked', data: { spaceId, studentId } }] : [];
};

export type RemoveMember = {
  readonly by: Authority;
  readonly spaceId: string;
  readonly entry: SpaceEntry | undefined;
  readonly student: Pick<ActingStudent, 'studentId' | 'roles'>;
  readonly reason: string;
};

/** Removes a member from a restricted space. Posts and score stay. */
export const removeMember = (
  { by, spaceId, entry, student, reason }: RemoveMember,
  { isMember }: MembershipState,
): readonly (MemberRemoved | SpaceLeft)[] => {
  if (by.kind === 'student') requireModeratorOf(by, spaceId);
  if (by.kind === 'student' && by.studentId === student.studentId) throw new DomainError('FORBIDDEN');
  if (!isAbove(rankOf(by, spaceId), rankOf(student, spaceId))) throw new DomainError('NOT_ABOVE_IN_RANK');
  if (entry === undefined) throw new DomainError('SPACE_NOT_FOUND');
  if (entry === 'OPEN') throw new DomainError('SPACE_OPEN_TO_ALL');
  const shownReason = requireReason(reason);
  if (!isMember) throw new DomainError('STUDENT_NOT_FOUND');
  const data = { spaceId, studentId: student.studentId };
  return [
    { type: 'MemberRemoved', data: { ...data, reason: shownReason } },
    { type: 'SpaceLeft', data },
  ];
};
