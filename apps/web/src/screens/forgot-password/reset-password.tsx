import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { FormAlert } from '../../components/form-alert';
import { NewPasswordForm } from '../../features/credentials/new-password-form';
import type { ResetPasswordMutation, ResetPasswordMutationVariables } from '../../generated/graphql';
import { postGraphql } from '../../lib/graphql-fetch';
import { usePending } from '../../lib/use-pending';
import resetPassword from './reset-password.graphql?raw';

/** The link of the mail stands for the old password. */
export function ResetPassword({ token }: { token: string }) {
  const { t } = useTranslation('account');
  const [isChanged, setChanged] = useState(false);
  const { isPending, error, run } = usePending();
  const reset = (password: string) =>
    run(async () => {
      await postGraphql<ResetPasswordMutation, ResetPasswordMutationVariables>(resetPassword, {
        token,
        password,
      });
      setChanged(true);
    });

  if (isChanged) {
    return (
      <Stack gap="md">
        <FormAlert kind="success">{t('reset.done')}</FormAlert>
        <Button component={Link} to={paths.login} size="md">
          {t('confirm.login')}
        </Button>
      </Stack>
    );
  }
  return (
    <Stack gap="md">
      <NewPasswordForm
        notice={error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
        pending={isPending}
        submitLabel={t('reset.submit')}
        onSubmit={(password) => void reset(password)}
      />
      {error !== undefined && (
        <Button component={Link} to={paths.forgotPassword} variant="default" size="md">
          {t('reset.again')}
        </Button>
      )}
    </Stack>
  );
}
