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

/** Digits alone are a phone number. */
function accountOf(userName: string): Pick<LoginMutationVariables, 'userName' | 'phone'> {
  return /^\d+$/.test(userName) ? { phone: Number(withCountryCode(userName)) } : { userName };
}

export type SecondFactorStep = NonNullable<LoginMutation['login']['secondFactor']>;

type LoginOutcome =
  | { kind: 'signedIn' }
  | { kind: 'secondFactor'; step: SecondFactorStep }
  /** With the sentence to show, and what the mail of a registration is sent again for. */
  | { kind: 'refused'; reason: string; confirmation: string | null };

/** Opens a session and keeps it, where nothing else is asked for. */
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
  await keepSession(login.accessToken, remember);
  return { kind: 'signedIn' };
}

/** Reads whose session it is, and keeps both. */
export async function keepSession(accessToken: string, remember: boolean): Promise<void> {
  const { getStudent: student } = await postGraphql<OwnStudentQuery, object>(
    ownStudentQuery,
    {},
    accessToken,
  );
  // The api knows every session's student; the type is that of a look-up.
  if (!student) throw new Error('a session of nobody');
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
