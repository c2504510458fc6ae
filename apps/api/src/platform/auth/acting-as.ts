import { DomainError } from '@nimo/domain';
import type { Viewer } from './viewer.js';

/** Inputs that name the actor (`author`, `userId`, `studentId`) may be left out; given, they must name the signed-in student. */
export function assertActsAsSelf(viewer: Viewer, named: string | null | undefined): void {
  if (named !== undefined && named !== null && named !== viewer.studentId) throw new DomainError('FORBIDDEN');
}
