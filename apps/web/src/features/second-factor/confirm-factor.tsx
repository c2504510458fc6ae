import { useMutation } from '@apollo/client/react';
import {
  ConfirmSecondFactorDocument,
  StartPasskeyConfirmationDocument,
  type OwnSecondFactorQuery,
} from '../../generated/graphql';
import FactorStep, { type FactorProof } from './factor-step';

export type OwnSecondFactor = OwnSecondFactorQuery['getSecondFactor'];

interface ConfirmFactorProps {
  factor: OwnSecondFactor;
  submitLabel: string;
  onConfirmed: () => Promise<unknown>;
}

/** Confirms the second factor again during a session. */
export function ConfirmFactor({ factor, submitLabel, onConfirmed }: ConfirmFactorProps) {
  const [confirm] = useMutation(ConfirmSecondFactorDocument);
  const [start] = useMutation(StartPasskeyConfirmationDocument);
  const give = async (proof: FactorProof) => {
    await confirm({ variables: proof });
    await onConfirmed();
  };
  return (
    <FactorStep
      hasTotp={factor.hasTotp}
      hasPasskey={factor.passkeys.length > 0}
      submitLabel={submitLabel}
      submitProof={give}
      passkeyOptions={async () => (await start()).data?.startPasskeyConfirmation ?? ''}
    />
  );
}
