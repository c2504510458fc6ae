import type { Key, RowChange } from '../projection.js';
import type { ScoreFactRow } from './score-facts.table.js';

export type FactChange = RowChange<ScoreFactRow>;

/** A student in a space, with what the batch did to that student's facts. */
export interface Affected {
  readonly spaceId: string;
  readonly studentId: string;
  readonly changes: readonly FactChange[];
}

export function affectedStudents(changes: readonly FactChange[]): Affected[] {
  const byStudent = new Map<string, { spaceId: string; studentId: string; changes: FactChange[] }>();
  for (const change of changes) {
    const [spaceId, studentId] = studentIn(change.key);
    const identity = `${spaceId} ${studentId}`;
    const student = byStudent.get(identity) ?? { spaceId, studentId, changes: [] };
    byStudent.set(identity, student);
    student.changes.push(change);
  }
  return [...byStudent.values()];
}

/** The key is the facts' table's: it begins with the space and the student. */
const studentIn = (key: Key): readonly [string, string] =>
  key as readonly string[] as readonly [string, string];
