import { withCountryCode } from './phone-field';
import type { LoginMutation, LoginMutationVariables, OwnStudentQuery } from '../../generated/graphql';
import { signIn } from '../../lib/auth-storage';
import { ruleText } from '../../lib/api/errors';
import { postGraphql } from '../../lib/api/graphql-fetch';
import loginMutation from './login.graphql?call';
import ownStudentQuery from './own-student.graphql?call';

interface Credentials {
  userName: string;
  password: string;
  remember: boolean;
}

/** A username of only digits is a phone number. */
function accountOf(userName: string): Pick<LoginMutationVariables, 'userName' | 'phone'> {
  return /^\d+$/.test(userName) ? { phone: Number(withCountryCode(userName)) } : { userName };
}

export type SecondFactorStep = NonNullable<LoginMutation['login']['secondFactor']>;

type LoginOutcome =
  | { kind: 'signedIn' }
  | { kind: 'secondFactor'; step: SecondFactorStep }
  /** `confirmation` identifies the registration whose email can be resent. */
  | { kind: 'refused'; reason: string; confirmation: string | null };

/** Logs in, and stores the session unless a second factor is needed. */
export async function logIn({ userName, password, remember }: Credentials): Promise<LoginOutcome> {
  const { login } = await postGraphql<LoginMutation, LoginMutationVariables>(loginMutation, {
    ...accountOf(userName.trim()),
    password,
    rememberMe: remember,
  });
  if (login.secondFactor) return { kind: 'secondFactor', step: login.secondFactor };
  if (!login.accessToken) {
    const { error, confirmation } = login;
    return { kind: 'refused', reason: ruleText(error ?? '', login), confirmation };
  }
  await startSession(login.accessToken, remember);
  return { kind: 'signedIn' };
}

/** Loads the student of the session, and stores both. */
export async function startSession(accessToken: string, remember: boolean): Promise<void> {
  const { getStudent: student } = await postGraphql<OwnStudentQuery, object>(
    ownStudentQuery,
    {},
    accessToken,
  );
  // Nullable in the schema, but every session has a student.
  if (!student) throw new Error('The session has no student');
  signIn(
    accessToken,
    {
      _id: student._id,
      firstName: student.firstName ?? '',
      lastName: student.lastName ?? '',
      userName: student.userName ?? '',
      profileDesc: student.profileDesc ?? '',
      realProfilePicUrl: student.realProfilePicUrl ?? null,
    },
    remember,
  );
}
