import { fold } from '../decider.js';
import { DomainError } from '../errors.js';
import type {
  StudentEmailConfirmed,
  StudentEvent,
  StudentImported,
  StudentPhoneVerified,
  StudentProfileChanged,
  StudentRegistered,
  StudentSignedUp,
  TermsAccepted,
} from '../events.js';
import { MAX_ABOUT_LENGTH, MAX_PERSON_NAME_LENGTH } from '../limits.js';
import { requireAtMost, requireText } from '../validation/content.js';
import { requireEmail, requireSignUpPhone, requireUserName } from '../validation/identity.js';
import { personName } from '../validation/visible-text.js';
import { requireStudent } from './require-student.js';
import { studentDecider, type Profile, type StudentState } from './student.state.js';

export type SignUp = { readonly studentId: string } & (
  | { readonly phone: string }
  | { readonly email: string }
);

/** Idempotent until the profile is complete, so that the code can be sent again. */
export const signUp = (command: SignUp, state: StudentState): readonly StudentSignedUp[] => {
  const phone = 'phone' in command ? requireSignUpPhone(command.phone) : null;
  const email = 'email' in command ? requireEmail(command.email) : null;
  if (state?.registered || state?.erased)
    throw new DomainError(phone === null ? 'EMAIL_TAKEN' : 'USER_EXISTS');
  if (state) return [];
  return [
    {
      type: 'StudentSignedUp',
      data: { studentId: command.studentId, phone, email, registrationType: 'SELF' },
    },
  ];
};

export const verifyPhone = (state: StudentState): readonly StudentPhoneVerified[] => {
  const { studentId, phone, phoneVerified } = requireStudent(state);
  if (phone === null) throw new DomainError('PHONE_REQUIRED');
  return phoneVerified ? [] : [{ type: 'StudentPhoneVerified', data: { studentId } }];
};

export const confirmEmail = (state: StudentState): readonly StudentEmailConfirmed[] => {
  const { studentId, email, emailConfirmed } = requireStudent(state);
  if (email === null) throw new DomainError('EMAIL_INVALID');
  return emailConfirmed ? [] : [{ type: 'StudentEmailConfirmed', data: { studentId } }];
};

export type RegisterProfile = Profile;

/** The user name must be reserved before. Its claim is confirmed afterwards. */
export const registerProfile = (
  command: RegisterProfile,
  state: StudentState,
): readonly StudentRegistered[] => {
  const { studentId, phoneVerified, emailConfirmed, registered } = requireStudent(state);
  if (!phoneVerified && !emailConfirmed) throw new DomainError('CONTACT_NOT_VERIFIED');
  const profile = requireProfile(command);
  if (registered) throw new DomainError('USER_EXISTS');
  return [{ type: 'StudentRegistered', data: { studentId, ...profile } }];
};

/** Idempotent per version. */
export const acceptTerms = (version: string, state: StudentState): readonly TermsAccepted[] => {
  const { studentId, termsVersion } = requireStudent(state);
  return termsVersion === version ? [] : [{ type: 'TermsAccepted', data: { studentId, version } }];
};

export type ConfirmSignUp = { readonly studentId: string; readonly email: string };

/** Signs up and confirms the email in one step, because nothing is recorded before it is verified. */
export const signUpWithConfirmedEmail = (
  command: ConfirmSignUp,
  state: StudentState,
): readonly (StudentSignedUp | StudentEmailConfirmed)[] => {
  const signedUp = signUp(command, state);
  return [...signedUp, ...confirmEmail(fold(studentDecider, signedUp, state))];
};

/** Creates the account when the link in the confirmation email is opened. */
export const registerByEmail = (
  command: ConfirmSignUp & { readonly profile: Profile },
  state: StudentState,
): readonly StudentEvent[] => {
  const confirmed = signUpWithConfirmedEmail(command, state);
  return [...confirmed, ...registerProfile(command.profile, fold(studentDecider, confirmed, state))];
};

/** Omitted fields stay. */
export type ChangeProfile = Partial<Profile>;

export const changeProfile = (
  command: ChangeProfile,
  state: StudentState,
): readonly StudentProfileChanged[] => {
  const { studentId, blocked, profile: before } = requireStudent(state);
  if (blocked) throw new DomainError('STUDENT_BLOCKED');
  if (before === null) throw new DomainError('NOT_REGISTERED');
  const profile = requireProfile({ ...before, ...command });
  const unchanged = PROFILE_KEYS.every((key) => profile[key] === before[key]);
  return unchanged ? [] : [{ type: 'StudentProfileChanged', data: { studentId, ...profile } }];
};

export type ImportStudent = Profile & {
  readonly studentId: string;
  readonly source: string;
  readonly sourceId: string;
  readonly standIn: boolean;
};

export const importStudent = (command: ImportStudent, state: StudentState): readonly StudentImported[] => {
  const { studentId, source, sourceId, standIn } = command;
  const profile = requireProfile(command);
  return state
    ? []
    : [{ type: 'StudentImported', data: { studentId, ...profile, source, sourceId, standIn } }];
};

const PROFILE_KEYS = [
  'userName',
  'firstName',
  'lastName',
  'profileDesc',
  'realProfilePicUrl',
] as const satisfies (keyof Profile)[];

const requireProfile = ({
  userName,
  firstName,
  lastName,
  profileDesc,
  realProfilePicUrl,
}: Profile): Profile => ({
  userName: requireUserName(userName),
  firstName: requireAtMost(personName(firstName), MAX_PERSON_NAME_LENGTH, 'NAME_TOO_LONG'),
  lastName: requireAtMost(personName(lastName), MAX_PERSON_NAME_LENGTH, 'NAME_TOO_LONG'),
  profileDesc: requireText(profileDesc, { max: MAX_ABOUT_LENGTH, tooLong: 'ABOUT_TOO_LONG' }),
  realProfilePicUrl,
});
