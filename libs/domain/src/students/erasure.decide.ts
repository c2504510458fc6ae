import { requireMaintainer, type Authority } from '../authority.js';
import { DomainError } from '../errors.js';
import type { ErasureAsked, ErasureWithdrawn, StudentErased } from '../events.js';
import { requireReason } from '../validation/content.js';
import type { Student, StudentState } from './student.state.js';

/** To change one's mind. */
export const ERASURE_DELAY_DAYS = 7;

export type AskErasure = {
  readonly by: Authority;
  readonly withWords: boolean;
  /** Asked of whoever has somebody else erased. */
  readonly reason: string | null;
  readonly dueAt: string;
  readonly isLastMaintainer: boolean;
};

/** Of oneself, also while blocked: nobody has to stay. Otherwise by a maintainer. */
export const askErasure = (command: AskErasure, state: StudentState): readonly ErasureAsked[] => {
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

/** The point of no return: nothing is done as this student any more. Before it is due, and where it was withdrawn, nothing happens. */
export const eraseStudent = (
  { now, isLastMaintainer }: EraseStudent,
  state: StudentState,
): readonly StudentErased[] => {
  if (!state?.erasure || state.erased || isLastMaintainer || !isDue(state, now)) return [];
  const { studentId, erasure } = state;
  return [{ type: 'StudentErased', data: { studentId, withWords: erasure.withWords } }];
};

/** A back-up brought back who had been erased: nobody is asked again. */
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

/** @returns whether it is one's own */
const requireOwnerOrMaintainer = (by: Authority, { studentId }: Student): boolean => {
  const isOwn = by.kind === 'student' && by.studentId === studentId;
  if (!isOwn) requireMaintainer(by);
  return isOwn;
};
