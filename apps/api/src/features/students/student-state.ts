import type { ActingStudent, ClaimKind, Student } from '@nimo/domain';
import type { ClaimHasher } from '../../platform/personal-data/key-uses.js';

/** Somebody who is about to sign up, or proved to own the phone of an account: no rights but over that account. */
export const unregistered = (studentId: string): ActingStudent => ({
  kind: 'student',
  studentId,
  registered: false,
  blocked: false,
  roles: [],
});

/** What the student carries of that kind. */
export function valueOf(student: Student, kind: ClaimKind): string | null {
  switch (kind) {
    case 'username':
      return student.profile?.userName ?? null;
    case 'phone':
      return student.phone;
    case 'email':
      return student.email;
  }
}

/** Whether the student carries the value that the claim stands for. */
export function usesClaim(student: Student, kind: ClaimKind, claim: string, hasher: ClaimHasher): boolean {
  const value = valueOf(student, kind);
  return value !== null && hasher.hashes(kind, value).includes(claim);
}
