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

/** A verified phone, whose grant finishes a registration or sets a new password within half an hour. */
export interface VerifiedPhone {
  studentId: string;
  phone: string;
  grant: string;
}

export type Purpose = NonNullable<SendOtpMutationVariables['purpose']>;

/**
 * Starts a registration. A number whose sign-up was not finished stays as it is.
 * @throws Error if the number is registered
 */
export async function createStudent(phone: string): Promise<void> {
  await postGraphql<CreateStudentMutation, CreateStudentMutationVariables>(createStudentMutation, { phone });
}

/** Whether the username is taken, ignoring case. */
export async function isUserNameTaken(userName: string): Promise<boolean> {
  const answer = await postGraphql<CheckUserNameQuery, CheckUserNameQueryVariables>(checkUserNameQuery, {
    userName,
  });
  return answer.checkUserName;
}

/** Returns false if the code was not sent. */
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
    return send(await solveProofOfWork());
  });
}

/** Returns undefined if the code is wrong. */
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

/** Returns false if it was refused. */
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

/** Binds codes to the tab that requested them: requests and guesses of others do not affect them, even after a change of IP address. */
const requestKey: string = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
  byte.toString(16).padStart(2, '0'),
).join('');

/** Solves a proof of work of about a second, which makes sending codes in bulk expensive. Needs no interaction. */
export async function solveProofOfWork(): Promise<string> {
  // Rarely needed, so loaded on demand.
  const { solveChallenge } = await import('altcha-lib');
  const { createSendChallenge: made } = await postGraphql<CreateSendChallengeMutation, object>(
    createSendChallenge,
    {},
  );
  const { algorithm, challenge, salt, signature, maxNumber } = made;
  const solution = await solveChallenge(challenge, salt, algorithm, maxNumber).promise;
  return btoa(JSON.stringify({ algorithm, challenge, salt, signature, number: solution?.number ?? 0 }));
}
