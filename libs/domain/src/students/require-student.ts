import { DomainError } from '../errors.js';
import type { Student, StudentState } from './student.state.js';

export const requireStudent = (state: StudentState): Student => {
  if (!state || state.erased) throw new DomainError('STUDENT_NOT_FOUND');
  return state;
};
