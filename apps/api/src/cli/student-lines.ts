import type { ManagedStudentView } from '@nimo/projections';
import { textTable } from './text-table.js';

/** A student, for reading. */
export function studentLines(student: ManagedStudentView): string {
  const { _id, userName, firstName, lastName, createdAt, isBlocked, spaceCount, roles } = student;
  const held = roles.map(({ role, space }) => `${role.toLowerCase()} of ${space?.name ?? 'all spaces'}`);
  return textTable(
    [
      ['user name', userName],
      ['name', `${firstName} ${lastName}`.trim()],
      ['id', _id],
      ['since', createdAt.slice(0, 10)],
      ['status', isBlocked ? 'blocked' : 'active'],
      ['spaces', String(spaceCount)],
      ['roles', held.join(', ') || 'none'],
    ],
    [0, 1],
  );
}
