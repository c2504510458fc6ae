import { DomainError } from '@nimo/domain';
import { findManagedStudent } from '@nimo/projections';
import type { Pool } from 'pg';
import type { CommandContext } from '../../platform/commands/command-context.js';
import type { OwnActs } from '../acts/own-acts.js';
import type { SavedStudentResult } from './student.types.js';

/** What a maintainer sees of the student after an act, and where the act stands. */
export async function savedStudent(
  { pool, acts }: { readonly pool: Pool; readonly acts: OwnActs },
  context: CommandContext,
  studentId: string,
): Promise<SavedStudentResult> {
  const student = await findManagedStudent(pool, studentId);
  if (!student) throw new DomainError('STUDENT_NOT_FOUND');
  return { student, act: await acts.ordinalOf(context) };
}
