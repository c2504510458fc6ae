import { useTranslation } from 'react-i18next';
import FactorStep, { type FactorProof } from '../../../features/second-factor/factor-step';
import type {
  FinishSecondFactorMutation,
  FinishSecondFactorMutationVariables,
  StartPasskeySignInMutation,
  StartPasskeySignInMutationVariables,
} from '../../../generated/graphql';
import { postGraphql } from '../../../lib/api/graphql-fetch';
import finishSecondFactor from './finish-second-factor.graphql?call';
import { startSession, type SecondFactorStep } from '../../../features/credentials/log-in';
import startPasskeySignIn from './start-passkey-sign-in.graphql?call';

interface SecondStepProps {
  step: SecondFactorStep;
  remember: boolean;
  onStart: () => void;
  onSignedIn: () => void;
  onCancel: () => void;
}

/** Asks for the second factor, with the ticket from the first step. */
export default function SecondStep({ step, remember, onStart, onSignedIn, onCancel }: SecondStepProps) {
  const { t } = useTranslation('secondFactor', { keyPrefix: 'step' });
  const { ticket, hasTotp, hasPasskey } = step;
  const give = async (proof: FactorProof) => {
    onStart();
    const { finishSecondFactor: finished } = await postGraphql<
      FinishSecondFactorMutation,
      FinishSecondFactorMutationVariables
    >(finishSecondFactor, { ticket, ...proof });
    await startSession(finished.accessToken ?? '', remember);
    onSignedIn();
  };
  const passkeyOptions = async () =>
    (
      await postGraphql<StartPasskeySignInMutation, StartPasskeySignInMutationVariables>(startPasskeySignIn, {
        ticket,
      })
    ).startPasskeySignIn;
  return (
    <FactorStep
      hasTotp={hasTotp}
      hasPasskey={hasPasskey}
      submitLabel={t('signIn')}
      submitProof={give}
      passkeyOptions={passkeyOptions}
      onCancel={onCancel}
    />
  );
}
