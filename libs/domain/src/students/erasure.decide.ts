import { requireMaintainer, type Authority } from '../authority.js';
import { DomainError } from '../errors.js';
import type { ErasureAsked, ErasureWithdrawn, StudentErased } from '../events.js';
import { requireReason } from '../validation/content.js';
import type { Student, StudentState } from './student.state.js';

/** Grace period in which the erasure can be withdrawn. */
export const ERASURE_DELAY_DAYS = 7;

export type RequestErasure = {
  readonly by: Authority;
  /** Whether to erase posts and comments too. */
  readonly withWords: boolean;
  /** Required to erase someone else's account. */
  readonly reason: string | null;
  readonly dueAt: string;
  readonly isLastMaintainer: boolean;
};

/** By the student, even while blocked, or by a maintainer. */
export const requestErasure = (command: RequestErasure, state: StudentState): readonly ErasureAsked[] => {
  const { by, withWords, dueAt } = command;
  const student = requireNotErased(state);
  const isOwn = requireOwnerOrMaintainer(by, student);
  const reason = isOwn ? null : requireReason(command.reason);
  if (student.erasure)
    throw new DomainError('ERASURE_ASKED', { dueAt: student.erasure.dueAt.slice(0, 'YYYY-MM-DD'.length) });
  if (command.isLastMaintainer) throw new DomainError('LAST_MAINTAINER');
  return [{ type: 'ErasureAsked', data: { studentId: student.studentId, withWords, reason, dueAt } }];
};

export type WithdrawErasure = { readonly by: Authority; readonly now: string };

export const withdrawErasure = (
  { by, now }: WithdrawErasure,
  state: StudentState,
): readonly ErasureWithdrawn[] => {
  const student = requireNotErased(state);
  requireOwnerOrMaintainer(by, student);
  if (!student.erasure) throw new DomainError('ERASURE_NOT_ASKED');
  if (isDue(student, now)) throw new DomainError('ERASURE_DUE');
  return [{ type: 'ErasureWithdrawn', data: { studentId: student.studentId } }];
};

export type EraseStudent = { readonly now: string; readonly isLastMaintainer: boolean };

/** Erases the account irreversibly. Does nothing before the due date or after a withdrawal. */
export const eraseStudent = (
  { now, isLastMaintainer }: EraseStudent,
  state: StudentState,
): readonly StudentErased[] => {
  if (!state?.erasure || state.erased || isLastMaintainer || !isDue(state, now)) return [];
  const { studentId, erasure } = state;
  return [{ type: 'StudentErased', data: { studentId, withWords: erasure.withWords } }];
};

/** Erases a student again whose data came back with a restored backup. */
export const eraseRestored = (
  { withWords }: { readonly withWords: boolean },
  state: StudentState,
): readonly StudentErased[] =>
  !state || state.erased ? [] : [{ type: 'StudentErased', data: { studentId: state.studentId, withWords } }];

const isDue = ({ erasure }: Student, now: string): boolean =>
  erasure !== null && Date.parse(erasure.dueAt) <= Date.parse(now);

const requireNotErased = (state: StudentState): Student => {
  if (!state) throw new DomainError('STUDENT_NOT_FOUND');
  if (state.erased) throw new DomainError('STUDENT_ERASED');
  return state;
};

/** @returns whether the actor owns the account @throws DomainError */
const requireOwnerOrMaintainer = (by: Authority, { studentId }: Student): boolean => {
  const isOwn = by.kind === 'student' && by.studentId === studentId;
  if (!isOwn) requireMaintainer(by);
  return isOwn;
};
