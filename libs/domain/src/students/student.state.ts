import type { Decider } from '../decider.js';
import type { RoleAssignment } from '../authority.js';
import { unreachable } from '../errors.js';
import type { Rank, StudentEvent, StudentRegistered } from '../events.js';
import { studentStream } from '../stream-ids.js';

export type Profile = Omit<StudentRegistered['data'], 'studentId'>;

export type Student = {
  readonly studentId: string;
  readonly phone: string | null;
  readonly email: string | null;
  readonly phoneVerified: boolean;
  readonly emailConfirmed: boolean;
  /** Null before registration and after erasure. */
  readonly profile: Profile | null;
  readonly registered: boolean;
  readonly imported: boolean;
  readonly standIn: boolean;
  readonly blocked: boolean;
  /** Rank of the person who blocked the student. */
  readonly blockedBy: Rank | null;
  readonly erased: boolean;
  /** Pending erasure. */
  readonly erasure: { readonly withWords: boolean; readonly dueAt: string } | null;
  readonly roles: readonly RoleAssignment[];
  /** Last accepted version of the terms of use. */
  readonly termsVersion: string | null;
};
export type StudentState = Student | undefined;

const newStudent = (studentId: string): Student => ({
  studentId,
  phone: null,
  email: null,
  phoneVerified: false,
  emailConfirmed: false,
  profile: null,
  registered: false,
  imported: false,
  standIn: false,
  blocked: false,
  blockedBy: null,
  erased: false,
  erasure: null,
  roles: [],
  termsVersion: null,
});

const profileOf = ({ userName, firstName, lastName, profileDesc, realProfilePicUrl }: Profile): Profile => ({
  userName,
  firstName,
  lastName,
  profileDesc,
  realProfilePicUrl,
});

export const sameRole = (left: RoleAssignment, right: RoleAssignment): boolean =>
  left.role === right.role && left.spaceId === right.spaceId;

/** Whether somebody holds the account: erased students and imported ones without contact data have no way in. */
export const canSignIn = (student: StudentState): boolean =>
  student !== undefined &&
  !student.erased &&
  (!student.imported || student.phone !== null || student.email !== null);

export const studentDecider: Decider<StudentState, StudentEvent, [studentId: string]> = {
  stream: studentStream,
  initial: undefined,
  evolve: (state, event) => {
    const student = state ?? newStudent(event.data.studentId);
    switch (event.type) {
      case 'StudentSignedUp':
        return { ...student, phone: event.data.phone, email: event.data.email };
      case 'StudentPhoneVerified':
        return { ...student, phoneVerified: true };
      case 'StudentEmailConfirmed':
        return { ...student, emailConfirmed: true };
      case 'StudentPhoneChanged':
        return { ...student, phone: event.data.phone, phoneVerified: event.data.phone !== null };
      case 'StudentEmailChanged':
        return { ...student, email: event.data.email, emailConfirmed: event.data.email !== null };
      case 'SignUpAbandoned':
        return { ...student, erased: true, phone: null, email: null };
      case 'StudentRegistered':
        return { ...student, registered: true, profile: profileOf(event.data) };
      case 'StudentProfileChanged':
        return { ...student, profile: profileOf(event.data) };
      case 'StudentImported':
        return {
          ...student,
          registered: true,
          imported: true,
          standIn: event.data.standIn,
          profile: profileOf(event.data),
        };
      case 'StudentBlocked':
        return { ...student, blocked: true, blockedBy: event.data.rank };
      case 'StudentUnblocked':
        return { ...student, blocked: false, blockedBy: null };
      case 'SecondFactorReset':
        return student;
      case 'TermsAccepted':
        return { ...student, termsVersion: event.data.version };
      case 'ErasureAsked':
        return {
          ...student,
          erasure: { withWords: event.data.withWords, dueAt: event.data.dueAt },
        };
      case 'ErasureWithdrawn':
        return { ...student, erasure: null };
      case 'StudentErased':
        return {
          ...student,
          erased: true,
          erasure: null,
          registered: false,
          phone: null,
          email: null,
          profile: null,
          roles: [],
        };
      case 'RoleGranted':
        return {
          ...student,
          roles: [...student.roles, { role: event.data.role, spaceId: event.data.spaceId }],
        };
      case 'RoleRevoked':
        return { ...student, roles: student.roles.filter((role) => !sameRole(role, event.data)) };
      default:
        return unreachable(event);
    }
  },
};
