import { Button, Stack, TextInput } from '@mantine/core';
import { useState, type FormEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { FormAlert } from '../../components/form-alert';
import { isEmailShaped } from '../../features/credentials/email';
import type { ForgotPasswordMutation, ForgotPasswordMutationVariables } from '../../generated/graphql';
import { postGraphql } from '../../lib/graphql-fetch';
import { usePending } from '../../lib/use-pending';
import forgotPassword from './forgot-password.graphql?call';

/** Says the same whoever the address belongs to. */
export function ForgotByEmail() {
  const { t } = useTranslation('account');
  const [email, setEmail] = useState('');
  const [isChecked, setChecked] = useState(false);
  const [isSent, setSent] = useState(false);
  const { isPending, error, run } = usePending();
  const problem = isEmailShaped(email) ? undefined : t('emailInvalid');

  const submit = (event: FormEvent) => {
    event.preventDefault();
    setChecked(true);
    setSent(false);
    if (problem !== undefined) return;
    void run(async () => {
      await postGraphql<ForgotPasswordMutation, ForgotPasswordMutationVariables>(forgotPassword, { email });
      setSent(true);
    });
  };

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
        {isSent && <FormAlert kind="success">{t('forgot.sent')}</FormAlert>}
        <TextInput
          type="email"
          label={t('email')}
          autoComplete="email"
          size="md"
          error={isChecked && problem}
          value={email}
          onChange={({ currentTarget }) => setEmail(currentTarget.value.trim())}
        />
        <Button type="submit" size="md" loading={isPending}>
          {t('forgot.submit')}
        </Button>
      </Stack>
    </form>
  );
}
