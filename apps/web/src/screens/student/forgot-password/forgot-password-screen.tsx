import { Anchor, Button, Stack, TextInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { FormAlert } from '../../../components/notices';
import { AuthPage } from '../../../features/auth-page/auth-page';
import { useLinkToken } from '../../../features/auth-page/use-link-token';
import { isEmailShaped } from '../../../features/credentials/account-fields';
import { NewPasswordForm, useFactorPrompt } from '../../../features/credentials/new-password-form';
import type {
  ForgotPasswordMutation,
  ForgotPasswordMutationVariables,
  ResetPasswordMutation,
  ResetPasswordMutationVariables,
} from '../../../generated/graphql';
import { postGraphql } from '../../../lib/api/graphql-fetch';
import { usePending } from '../../../lib/api/errors';
import { useScreenTitle } from '../../../lib/browser/announce';
import forgotPassword from './forgot-password.graphql?call';
import resetPassword from './reset-password.graphql?call';

/** Password reset by email: requesting the link, and its target. */
export default function ForgotPasswordScreen() {
  const { t } = useTranslation('account');
  const token = useLinkToken();
  const area = token === undefined ? 'forgot' : 'reset';
  useScreenTitle(t(`${area}.title`));
  return (
    <AuthPage
      heading={t(`${area}.title`)}
      lead={t(`${area}.lead`)}
      foot={
        <>
          {t('forgot.remembered')}{' '}
          <Anchor component={Link} to={paths.login} fw={600}>
            {t('register.login')}
          </Anchor>
        </>
      }
    >
      {token === undefined ? <ForgotByEmail /> : <ResetPassword key={token} token={token} />}
    </AuthPage>
  );
}

/** The same text whether or not the address has an account. */
function ForgotByEmail() {
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

/** The emailed token replaces the old password. */
function ResetPassword({ token }: { token: string }) {
  const { t } = useTranslation('account');
  const [isChanged, setChanged] = useState(false);
  const { isPending, error, run } = usePending();
  const { needsFactor, asking } = useFactorPrompt();
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
        needsFactor={needsFactor}
        onSubmit={(password, factorCode) => void reset(password, factorCode)}
      />
      {error !== undefined && !needsFactor && (
        <Button component={Link} to={paths.forgotPassword} reloadDocument variant="default" size="md">
          {t('reset.requestNewLink')}
        </Button>
      )}
    </Stack>
  );
}
