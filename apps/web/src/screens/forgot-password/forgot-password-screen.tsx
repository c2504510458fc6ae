import { Anchor } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { AuthPage } from '../../features/auth-page/auth-page';
import { useLinkToken } from '../../features/auth-page/use-link-token';
import { useScreenTitle } from '../../lib/use-screen-title';
import { ForgotByEmail } from './forgot-by-email';
import { ResetPassword } from './reset-password';

/** A forgotten password by e-mail: asking for the link, and what it leads to. */
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
