import type {
  ChangePasswordMutation,
  ChangePasswordMutationVariables,
  CheckUserNameQuery,
  CheckUserNameQueryVariables,
  CreateSendChallengeMutation,
  CreateStudentMutation,
  CreateStudentMutationVariables,
  SendOtpMutation,
  SendOtpMutationVariables,
  VerifyOtpMutation,
  VerifyOtpMutationVariables,
} from '../../generated/graphql';
import { errorRule } from '../../lib/api/errors';
import { errorOf, postGraphql } from '../../lib/api/graphql-fetch';
import changePasswordMutation from './change-password.graphql?call';
import checkUserNameQuery from './check-user-name.graphql?call';
import createSendChallenge from './create-send-challenge.graphql?call';
import createStudentMutation from './create-student.graphql?call';
import sendOtpMutation from './send-otp.graphql?call';
import verifyOtpMutation from './verify-otp.graphql?call';

/** What a verified code allows, for half an hour: to finish the registration or to set a new password. */
export interface VerifiedPhone {
  studentId: string;
  phone: string;
  grant: string;
}

export type Purpose = NonNullable<SendOtpMutationVariables['purpose']>;

/** Refused where the number is registered already. Of one whose sign-up was not finished nothing changes. */
export async function createStudent(phone: string): Promise<void> {
  await postGraphql<CreateStudentMutation, CreateStudentMutationVariables>(createStudentMutation, { phone });
}

/** Whether somebody has that user name, in whatever case. */
export async function isUserNameTaken(userName: string): Promise<boolean> {
  const answer = await postGraphql<CheckUserNameQuery, CheckUserNameQueryVariables>(checkUserNameQuery, {
    userName,
  });
  return answer.checkUserName;
}

/** False when the code was not sent. */
export async function sendOtp(phone: string, purpose: Purpose): Promise<boolean> {
  const send = async (proof: string | null): Promise<boolean> => {
    const { sendOTP } = await postGraphql<SendOtpMutation, SendOtpMutationVariables>(sendOtpMutation, {
      phone,
      purpose,
      requestKey,
      proof,
    });
    if (sendOTP.refusal) throw errorOf(sendOTP.refusal);
    return sendOTP.flag !== 0;
  };
  return send(null).catch(async (error: unknown) => {
    if (errorRule(error) !== 'CHALLENGE_REQUIRED') throw error;
    return send(await proveWork());
  });
}

/** Nothing when the code is wrong. */
export async function verifyOtp(
  phone: string,
  verificationCode: string,
  purpose: Purpose,
): Promise<VerifiedPhone | undefined> {
  const { verifyOTP } = await postGraphql<VerifyOtpMutation, VerifyOtpMutationVariables>(verifyOtpMutation, {
    phone,
    verificationCode,
    purpose,
    requestKey,
  });
  const { flag, id, grant } = verifyOTP;
  return flag === 0 || !id || !grant ? undefined : { studentId: id, phone, grant };
}

/** False when it was refused. */
export async function changePassword(
  { phone, grant }: VerifiedPhone,
  password: string,
  factorCode?: string,
): Promise<boolean> {
  const answer = await postGraphql<ChangePasswordMutation, ChangePasswordMutationVariables>(
    changePasswordMutation,
    {
      phone,
      grant,
      password,
      ...(factorCode !== undefined && { factorCode }),
    },
  );
  return answer.changePassword.flag !== 0;
}

/** Ties the codes that this tab asks for to it: what others ask for and guess touches them not, whatever address this device has by then. */
const requestKey: string = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
  byte.toString(16).padStart(2, '0'),
).join('');

/** Computes for a second, so that a program that has thousands of codes sent pays for each. Nobody has to read, hear or click anything. */
export async function proveWork(): Promise<string> {
  // Loaded by those few whom it is asked of.
  const { solveChallenge } = await import('altcha-lib');
  const { createSendChallenge: made } = await postGraphql<CreateSendChallengeMutation, object>(
    createSendChallenge,
    {},
  );
  const { algorithm, challenge, salt, signature, maxNumber } = made;
  const solution = await solveChallenge(challenge, salt, algorithm, maxNumber).promise;
  return btoa(JSON.stringify({ algorithm, challenge, salt, signature, number: solution?.number ?? 0 }));
}
