import { Anchor, Divider } from '@mantine/core';
import { lazy, Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useLocation, useNavigate } from 'react-router-dom';
import type { LoginState } from '../../app/guards';
import { paths } from '../../app/paths';
import { AuthPage } from '../../features/auth-page/auth-page';
import { withAllTexts } from '../../i18n/i18n';
import { useAuthUser } from '../../lib/auth-storage';
import { timings } from '../../lib/timings';
import { useScreenTitle } from '../../lib/use-screen-title';
import { LoginForm } from './login-form';
import { SocialButtons } from './social-buttons';

// Its last step has the avatars of the profile.
const SignUpFlow = lazy(withAllTexts(() => import('../../features/sign-up/sign-up-flow')));
const ForgotPasswordFlow = lazy(() => import('../../features/forgot-password/forgot-password-flow'));

type Progress = 'idle' | 'loggingIn' | 'loggedIn';
type OpenFlow = 'signUp' | 'forgotPassword' | undefined;

function useWayOn(progress: Progress): string {
  const navigate = useNavigate();
  const location = useLocation();
  const target = (location.state as LoginState | null)?.from ?? paths.spaces;
  useEffect(() => {
    if (progress !== 'loggedIn') return undefined;
    const timer = setTimeout(() => void navigate(target, { replace: true }), timings.loginRedirect);
    return () => clearTimeout(timer);
  }, [progress, target, navigate]);
  return target;
}

export default function LoginScreen() {
  const { t } = useTranslation('auth');
  const user = useAuthUser();
  const [progress, setProgress] = useState<Progress>('idle');
  const [flow, setFlow] = useState<OpenFlow>();
  const [userName, setUserName] = useState('');
  const target = useWayOn(progress);
  useScreenTitle(t('login.title'));

  if (user && progress === 'idle') return <Navigate to={target} replace />;
  return (
    <AuthPage
      heading={t('login.heading')}
      lead={t('login.lead')}
      foot={<Foot onSignUp={() => setFlow('signUp')} />}
    >
      <LoginForm
        newUserName={userName}
        isLeaving={progress === 'loggedIn'}
        onStart={() => setProgress('loggingIn')}
        onLoggedIn={() => setProgress('loggedIn')}
        onForgot={() => setFlow('forgotPassword')}
      />
      <Divider mt="lg" mb="md" label={t('login.or')} />
      <SocialButtons />
      <Suspense>
        {flow === 'signUp' && (
          <SignUpFlow
            onClose={() => setFlow(undefined)}
            onCreated={(created) => {
              setUserName(created);
              setFlow(undefined);
            }}
          />
        )}
        {flow === 'forgotPassword' && <ForgotPasswordFlow onClose={() => setFlow(undefined)} />}
      </Suspense>
    </AuthPage>
  );
}

function Foot({ onSignUp }: { onSignUp: () => void }) {
  const { t } = useTranslation(['auth', 'account']);
  return (
    <>
      {t('auth:login.noAccount')}{' '}
      <Anchor component="button" type="button" fw={600} onClick={onSignUp}>
        {t('auth:login.signUp')}
      </Anchor>{' '}
      <Anchor component={Link} to={paths.register}>
        {t('account:social.phone')}
      </Anchor>
    </>
  );
}
