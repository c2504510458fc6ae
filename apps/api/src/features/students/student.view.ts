import type { StudentView } from '@nimo/projections';
import type { Student } from './student.type.js';

type Account = { readonly [Field in keyof Student]: Student[Field] };

/** All that anybody but the student learns of an account: of one that is being signed up, which has never logged in. */
export const strangerOf = (studentId: string, isRegistered: boolean): Account => ({
  _id: studentId,
  isRegistered,
  userName: null,
  firstName: null,
  lastName: null,
  isFirstTimeLogin: true,
  isPhoneVerified: false,
  realProfilePicUrl: null,
  profileDesc: null,
  phone: null,
  email: null,
  registrationType: null,
  approvalStatusHome: null,
  accountStatus: null,
  countQuestions: null,
  roles: [],
});

export const ownAccountOf = (student: StudentView): Account => ({
  ...strangerOf(student._id, student.isRegistered),
  userName: student.userName,
  firstName: student.firstName,
  lastName: student.lastName,
  isFirstTimeLogin: student.isFirstTimeLogin,
  isPhoneVerified: student.isPhoneVerified,
  realProfilePicUrl: student.realProfilePicUrl,
  profileDesc: student.profileDesc,
  phone: student.phone,
  email: student.email,
  registrationType: student.registrationType,
  approvalStatusHome: 'APPROVED',
  accountStatus: student.accountStatus,
  countQuestions: student.countQuestions,
  roles: student.roles,
});
