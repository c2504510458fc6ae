import type {
  FinishSignInMutation,
  FinishSignInMutationVariables,
  StartSignInMutation,
  StartSignInMutationVariables,
} from '../../../generated/graphql';
import { postGraphql } from '../../../lib/api/graphql-fetch';
import finishSignIn from './finish-sign-in.graphql?call';
import { startSession, type SecondFactorStep } from '../../../features/credentials/log-in';
import startSignIn from './start-sign-in.graphql?call';

/** Kept in the tab during the redirect to the provider. */
export interface PendingSignIn {
  provider: string;
  remember: boolean;
  /** Where to go after the login. */
  from: string;
}

/** The provider's user has no account yet: the grant completes the profile. */
export interface NewPerson {
  studentId: string;
  grant: string;
}

export type ProviderReturn = { begun: PendingSignIn } & (
  | { kind: 'signedIn' }
  | { kind: 'secondFactor'; step: SecondFactorStep }
  | { kind: 'new'; person: NewPerson }
);

const key = 'signIn';

/** Redirects to the provider. The secret stays in this tab, so that a code in someone else's link is useless. */
export async function leaveForProvider(begun: PendingSignIn): Promise<void> {
  const { provider, remember } = begun;
  const answer = await postGraphql<StartSignInMutation, StartSignInMutationVariables>(startSignIn, {
    provider,
    remember,
  });
  const { url, secret } = answer.startSignIn;
  sessionStorage.setItem(key, JSON.stringify({ ...begun, secret }));
  location.assign(url);
}

/** Reads and removes what this tab kept; undefined if the login did not start here. */
function takePendingSignIn(): (PendingSignIn & { secret: string }) | undefined {
  const kept = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return kept === null ? undefined : (JSON.parse(kept) as PendingSignIn & { secret: string });
}

/** Exchanges the code for a session. */
export async function finishSignInOnReturn(code: string): Promise<ProviderReturn | undefined> {
  const begun = takePendingSignIn();
  if (!begun) return undefined;
  const { finishSignIn: finished } = await postGraphql<FinishSignInMutation, FinishSignInMutationVariables>(
    finishSignIn,
    { code, secret: begun.secret },
  );
  if (finished.secondFactor) return { kind: 'secondFactor', begun, step: finished.secondFactor };
  if (finished.accessToken) {
    await startSession(finished.accessToken, finished.remember);
    return { kind: 'signedIn', begun };
  }
  return {
    kind: 'new',
    begun,
    person: { studentId: finished.id ?? '', grant: finished.grant ?? '' },
  };
}
