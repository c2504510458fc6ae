import type { CreateSendChallengeMutation } from '../../generated/graphql';
import { postGraphql } from '../../lib/graphql-fetch';
import createSendChallenge from './create-send-challenge.graphql?call';

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
