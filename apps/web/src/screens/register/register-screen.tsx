import { Anchor } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { AuthPage } from '../../features/auth-page/auth-page';
import { useLinkToken } from '../../features/auth-page/use-link-token';
import { useScreenTitle } from '../../lib/use-screen-title';
import { ConfirmEmail } from './confirm-email';
import { RegisterForm } from './register-form';

/** An account by e-mail: the form, and what the link in the mail leads to. */
export default function RegisterScreen() {
  const { t } = useTranslation('account');
  const token = useLinkToken();
  const [confirmed, setConfirmed] = useState<string>();
  const linkArea = token === confirmed ? 'confirmed' : 'confirm';
  const area = token === undefined ? 'register' : linkArea;
  useScreenTitle(t(`${area}.title`));
  return (
    <AuthPage
      heading={t(`${area}.title`)}
      lead={t(`${area}.lead`)}
      foot={
        <>
          {t('register.hasAccount')}{' '}
          <Anchor component={Link} to={paths.login} fw={600}>
            {t('register.login')}
          </Anchor>
        </>
      }
    >
      {token === undefined ? (
        <RegisterForm />
      ) : (
        <ConfirmEmail key={token} token={token} onConfirmed={setConfirmed} />
      )}
    </AuthPage>
  );
}
