import { withCountryCode } from '../../features/credentials/phone-field';
import type { LoginQuery, LoginQueryVariables, OwnStudentQuery } from '../../generated/graphql';
import { signIn } from '../../lib/auth-storage';
import { ruleText } from '../../lib/errors';
import { postGraphql } from '../../lib/graphql-fetch';
import loginQuery from './login.graphql?raw';
import ownStudentQuery from './own-student.graphql?raw';

export interface Credentials {
  userName: string;
  password: string;
  remember: boolean;
}

/** Digits alone are a phone number. */
function accountOf(userName: string): Pick<LoginQueryVariables, 'userName' | 'phone'> {
  return /^\d+$/.test(userName) ? { phone: Number(withCountryCode(userName)) } : { userName };
}

/** Opens a session and keeps it; answers with the sentence to show when it was refused. */
export async function logIn({ userName, password, remember }: Credentials): Promise<string | undefined> {
  const { login } = await postGraphql<LoginQuery, LoginQueryVariables>(loginQuery, {
    ...accountOf(userName.trim()),
    password,
    rememberMe: remember,
  });
  if (!login.accessToken) return ruleText(login.error ?? '', login);
  await keepSession(login.accessToken, remember);
  return undefined;
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
