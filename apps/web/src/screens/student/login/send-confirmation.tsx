import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../../components/notices';
import type { SendConfirmationMutation, SendConfirmationMutationVariables } from '../../../generated/graphql';
import { postGraphql } from '../../../lib/api/graphql-fetch';
import { usePending } from '../../../lib/api/errors';
import sendConfirmation from './send-confirmation.graphql?call';

/** For someone who registered by email but has not confirmed it yet. */
export default function SendConfirmation({ confirmation }: { confirmation: string }) {
  const { t } = useTranslation('account', { keyPrefix: 'unconfirmed' });
  const [isSent, setSent] = useState(false);
  const { isPending, error, setError, run } = usePending();
  const send = () =>
    run(async () => {
      setSent(false);
      const answer = await postGraphql<SendConfirmationMutation, SendConfirmationMutationVariables>(
        sendConfirmation,
        { confirmation },
      );
      if (answer.sendConfirmation.flag === 1) setSent(true);
      else setError(t('expired'));
    });
  return (
    <>
      {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
      {isSent && <FormAlert kind="success">{t('sent')}</FormAlert>}
      <Button variant="default" loading={isPending} onClick={() => void send()}>
        {t('resend')}
      </Button>
    </>
  );
}
