import { DomainError } from '@nimo/domain';
import type { Viewer } from './viewer.js';

/** Inputs that name the actor (`author`, `userId`, `studentId`) may be left out; given, they must name the signed-in student. */
export function assertActsAsSelf(viewer: Viewer, named: string | null | undefined): void {
  // An id reads the same in capitals.
  if (named !== undefined && named !== null && named.toLowerCase() !== viewer.studentId)
    throw new DomainError('FORBIDDEN');
}

const STUDENT_TYPE = 'student';

/** Students are the only type. */
export function assertStudentType(userType: string | null | undefined): void {
  if (userType !== undefined && userType !== null && userType !== STUDENT_TYPE)
    throw new DomainError('FORBIDDEN');
}
