import { useApolloClient, useMutation } from '@apollo/client/react';
import { Modal } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { toast } from '../../components/toast';
import { proveWork } from '../../features/credentials/prove-work';
import {
  FinishContactChangeDocument,
  OwnAccountDocument,
  StartContactChangeDocument,
  type StartContactChangeMutation,
  type StartContactChangeMutationVariables,
} from '../../generated/graphql';
import { errorRule } from '../../lib/errors';
import { useFocusReturn } from '../../lib/use-focus-return';
import { ContactCodes, type GivenCodes } from './contact-codes';
import { ContactForm, type AskedContact } from './contact-form';
import { ContactFactor } from './contact-factor';
import type { OwnAccount } from './settings-screen';

export type ContactKindName = 'EMAIL' | 'PHONE';
type Started = StartContactChangeMutation['startContactChange'];

interface ContactChangeProps {
  /** Nothing is changed without. */
  kind: ContactKindName | undefined;
  account: OwnAccount;
  onClose: () => void;
}

/** First the new contact and the password, then the codes that were sent to both. */
export function ContactChange({ kind, account, onClose }: ContactChangeProps) {
  const { t } = useTranslation('settings', { keyPrefix: 'contacts' });
  useFocusReturn(kind !== undefined);
  return (
    <Modal opened={kind !== undefined} onClose={onClose} title={kind && t(`titles.${kind}`)}>
      {kind && <Steps kind={kind} account={account} onClose={onClose} />}
    </Modal>
  );
}

function useContactChange() {
  const client = useApolloClient();
  const [start] = useMutation(StartContactChangeDocument);
  const [finish] = useMutation(FinishContactChangeDocument);
  const begin = async (variables: StartContactChangeMutationVariables): Promise<Started | undefined> => {
    try {
      return (await start({ variables })).data?.startContactChange;
    } catch (error) {
      if (errorRule(error) !== 'CHALLENGE_REQUIRED') throw error;
      const proof = await proveWork();
      return (await start({ variables: { ...variables, proof } })).data?.startContactChange;
    }
  };
  const end = async (id: string, { newCode, ownCode }: GivenCodes): Promise<void> => {
    await finish({ variables: { id, newCode, ownCode: ownCode === '' ? null : ownCode } });
    await client.refetchQueries({ include: [OwnAccountDocument] });
  };
  return { begin, end };
}

function Steps({ kind, account, onClose }: ContactChangeProps & { kind: ContactKindName }) {
  const { t } = useTranslation('settings', { keyPrefix: 'contacts' });
  const { begin, end } = useContactChange();
  const [started, setStarted] = useState<Started>();
  const [wantsFactor, setWantsFactor] = useState(false);
  const ask = async (asked: AskedContact) => {
    try {
      setStarted(await begin({ kind, ...asked }));
    } catch (error) {
      if (errorRule(error) !== 'SECOND_FACTOR_REQUIRED') throw error;
      setWantsFactor(true);
    }
  };
  const give = async (codes: GivenCodes) => {
    if (!started) return;
    await end(started._id, codes);
    toast.success(t(`changed.${kind}`));
    onClose();
  };
  if (wantsFactor) return <ContactFactor onConfirmed={() => setWantsFactor(false)} />;
  if (started)
    return (
      <ContactCodes
        kind={kind}
        sentTo={started.sentTo}
        ownSentTo={started.ownSentTo ?? null}
        onGiven={give}
        onAgain={() => setStarted(undefined)}
      />
    );
  return <ContactForm kind={kind} account={account} onAsked={ask} />;
}
