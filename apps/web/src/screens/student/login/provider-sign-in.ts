import type {
  FinishSignInMutation,
  FinishSignInMutationVariables,
  StartSignInMutation,
  StartSignInMutationVariables,
} from '../../../generated/graphql';
import { postGraphql } from '../../../lib/api/graphql-fetch';
import finishSignIn from './finish-sign-in.graphql?call';
import { keepSession, type SecondFactorStep } from '../../../features/credentials/log-in';
import startSignIn from './start-sign-in.graphql?call';

/** What the tab keeps while it is at the provider. */
export interface BegunSignIn {
  provider: string;
  remember: boolean;
  /** Where to go on afterwards. */
  from: string;
}

/** The provider's person is new here: the grant completes the profile. */
export interface NewPerson {
  studentId: string;
  grant: string;
}

export type ProviderReturn = { begun: BegunSignIn } & (
  | { kind: 'signedIn' }
  | { kind: 'secondFactor'; step: SecondFactorStep }
  | { kind: 'new'; person: NewPerson }
);

const key = 'signIn';

/** Leaves for the provider. The secret stays in this tab, so that a code in somebody's link opens nothing. */
export async function leaveForProvider(begun: BegunSignIn): Promise<void> {
  const { provider, remember } = begun;
  const answer = await postGraphql<StartSignInMutation, StartSignInMutationVariables>(startSignIn, {
    provider,
    remember,
  });
  const { url, secret } = answer.startSignIn;
  sessionStorage.setItem(key, JSON.stringify({ ...begun, secret }));
  location.assign(url);
}

/** Takes what this tab kept, once; nothing where it did not begin. */
function takeBegun(): (BegunSignIn & { secret: string }) | undefined {
  const kept = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return kept === null ? undefined : (JSON.parse(kept) as BegunSignIn & { secret: string });
}

/** Back with a code. */
export async function finishAtReturn(code: string): Promise<ProviderReturn | undefined> {
  const begun = takeBegun();
  if (!begun) return undefined;
  const { finishSignIn: finished } = await postGraphql<FinishSignInMutation, FinishSignInMutationVariables>(
    finishSignIn,
    { code, secret: begun.secret },
  );
  if (finished.secondFactor) return { kind: 'secondFactor', begun, step: finished.secondFactor };
  if (finished.accessToken) {
    await keepSession(finished.accessToken, finished.remember);
    return { kind: 'signedIn', begun };
  }
  return {
    kind: 'new',
    begun,
    person: { studentId: finished.id ?? '', grant: finished.grant ?? '' },
  };
}
