import { Button, Stack } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { FormAlert } from '../../components/form-alert';
import { useFactorQuestion } from '../../features/credentials/use-factor-question';
import { NewPasswordForm } from '../../features/credentials/new-password-form';
import type { ResetPasswordMutation, ResetPasswordMutationVariables } from '../../generated/graphql';
import { postGraphql } from '../../lib/graphql-fetch';
import { usePending } from '../../lib/use-pending';
import resetPassword from './reset-password.graphql?call';

/** The link of the mail stands for the old password. */
export function ResetPassword({ token }: { token: string }) {
  const { t } = useTranslation('account');
  const [isChanged, setChanged] = useState(false);
  const { isPending, error, run } = usePending();
  const { asksForFactor, asking } = useFactorQuestion();
  const reset = (password: string, factorCode?: string) =>
    run(async () => {
      await asking(() =>
        postGraphql<ResetPasswordMutation, ResetPasswordMutationVariables>(resetPassword, {
          token,
          password,
          ...(factorCode !== undefined && { factorCode }),
        }),
      );
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
        asksForFactor={asksForFactor}
        onSubmit={(password, factorCode) => void reset(password, factorCode)}
      />
      {error !== undefined && !asksForFactor && (
        <Button component={Link} to={paths.forgotPassword} reloadDocument variant="default" size="md">
          {t('reset.again')}
        </Button>
      )}
    </Stack>
  );
}
