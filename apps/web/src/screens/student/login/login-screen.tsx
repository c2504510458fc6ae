import { Alert, Anchor, Divider } from '@mantine/core';
import { Suspense, useCallback, useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useLocation, useNavigate } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { FormAlert } from '../../../components/notices';
import { LoadingNotice } from '../../../components/loading-notice';
import { AuthPage } from '../../../features/auth-page/auth-page';
import { logIn, type SecondFactorStep } from '../../../features/credentials/log-in';
import { mustAcceptTerms } from '../../../features/credentials/terms';
import { withAllTexts } from '../../../i18n/i18n';
import { useAuthUser, whySignedOut } from '../../../lib/auth-storage';
import { errorText, usePending } from '../../../lib/api/errors';
import { lazyPart } from '../../../lib/browser/loading';
import { timings } from '../../../lib/timings';
import { useScreenTitle } from '../../../lib/browser/announce';
import { LoginForm } from './login-form';
import classes from './login-screen.module.css';
import {
  type PendingSignIn,
  finishSignInOnReturn,
  leaveForProvider,
  type NewPerson,
  type ProviderReturn,
} from './provider-sign-in';
import { SocialButtons } from './social-buttons';
import type { NewAccount } from '../../../features/sign-up/create-profile-modal';

/** Where to go after the login. */
export interface LoginState {
  from?: string;
}

// Lazy: its last step includes the avatars.
const SignUpFlow = lazyPart(withAllTexts(() => import('../../../features/sign-up/sign-up-flow')));
const SecondStep = lazyPart(withAllTexts(() => import('./second-step')));
const ForgotPasswordFlow = lazyPart(
  withAllTexts(() => import('../../../features/forgot-password/forgot-password-flow')),
);

type Progress = 'idle' | 'loggingIn' | 'loggedIn';
type OpenFlow = 'signUp' | 'forgotPassword' | undefined;

function useLoginRedirect(progress: Progress) {
  const navigate = useNavigate();
  const location = useLocation();
  const [from, setTarget] = useState((location.state as LoginState | null)?.from ?? paths.spaces);
  useEffect(() => {
    if (progress !== 'loggedIn') return undefined;
    const needsTerms = mustAcceptTerms();
    const redirect = async () => navigate((await needsTerms) ? paths.terms : from, { replace: true });
    const timer = setTimeout(() => void redirect(), timings.loginRedirect);
    return () => clearTimeout(timer);
  }, [progress, from, navigate]);
  return { target: from, setTarget };
}

/** Login with an external provider. */
function useProviders(
  from: string,
  onSignedIn: (from: string) => void,
  onSecondFactor: (step: SecondFactorStep, begun: PendingSignIn) => void,
) {
  const [newPerson, setNewPerson] = useState<{ person: NewPerson; begun: PendingSignIn }>();
  const [leavingFor, setLeavingFor] = useState<string>();
  const { error: refusal, run } = usePending();
  const onReturn = useCallback(
    (returned: ProviderReturn) => {
      if (returned.kind === 'new') setNewPerson(returned);
      else if (returned.kind === 'secondFactor') onSecondFactor(returned.step, returned.begun);
      else onSignedIn(returned.begun.from);
    },
    [onSignedIn, onSecondFactor],
  );
  const { error, isFinishing } = useProviderReturn(onReturn);
  const leave = (begun: PendingSignIn) => {
    setLeavingFor(begun.provider);
    void run(() => leaveForProvider(begun)).finally(() => setLeavingFor(undefined));
  };
  return {
    newPerson,
    leavingFor,
    isFinishing,
    error: refusal ?? error,
    choose: (provider: string, remember: boolean) => leave({ provider, remember, from }),
    /** The provider's account is linked and the profile exists: this login opens a session. */
    again: () => newPerson && leave(newPerson.begun),
    forget: () => setNewPerson(undefined),
  };
}

/** Logs in to a new account without asking for the chosen password again. */
function useFirstLogIn(onStart: () => void, onSignedIn: () => void) {
  const [userName, setUserName] = useState('');
  const { isPending, error, setError, run } = usePending();
  const enter = (account: NewAccount) => {
    onStart();
    // On failure the form is ready for another attempt.
    setUserName(account.userName);
    void run(async () => {
      const outcome = await logIn({ ...account, remember: false });
      if (outcome.kind === 'signedIn') onSignedIn();
      else if (outcome.kind === 'refused') setError(outcome.reason);
    });
  };
  return { userName, isPending, error, enter };
}

export default function LoginScreen() {
  const { t } = useTranslation('auth');
  const user = useAuthUser();
  const [progress, setProgress] = useState<Progress>('idle');
  const [flow, setFlow] = useState<OpenFlow>();
  const [remember, setRemember] = useState(false);
  const [step, setStep] = useState<SecondFactorStep>();
  const { target, setTarget } = useLoginRedirect(progress);
  const signedIn = useCallback(
    (from: string) => {
      setTarget(from);
      setProgress('loggedIn');
    },
    [setTarget],
  );
  const requestSecondFactor = useCallback(
    (required: SecondFactorStep, begun: PendingSignIn) => {
      setTarget(begun.from);
      setRemember(begun.remember);
      setStep(required);
    },
    [setTarget],
  );
  const providers = useProviders(target, signedIn, requestSecondFactor);
  const firstLogIn = useFirstLogIn(
    () => setProgress('loggingIn'),
    () => setProgress('loggedIn'),
  );
  const error = providers.error ?? firstLogIn.error;
  useScreenTitle(t('login.title'));

  if (user && progress === 'idle' && !providers.isFinishing) return <Navigate to={target} replace />;
  if (step)
    return (
      <SecondStepPage
        step={step}
        remember={remember}
        onStart={() => setProgress('loggingIn')}
        onSignedIn={() => setProgress('loggedIn')}
        onCancel={() => setStep(undefined)}
      />
    );
  return (
    <AuthPage
      heading={t('login.heading')}
      lead={t('login.lead')}
      foot={<Foot onSignUp={() => setFlow('signUp')} />}
    >
      {error !== undefined && (
        <div className={classes.notice}>
          <FormAlert kind="error">{error}</FormAlert>
        </div>
      )}
      {progress === 'idle' && <SignedOutNotice />}
      {progress === 'idle' && /^\/join[/#]/.test(target) && <InvitedNotice />}
      <LoginForm
        newUserName={firstLogIn.userName}
        isLeaving={progress === 'loggedIn' || providers.isFinishing || firstLogIn.isPending}
        remember={remember}
        onRemember={setRemember}
        onStart={() => setProgress('loggingIn')}
        onLoggedIn={() => setProgress('loggedIn')}
        onSecondFactor={setStep}
        onForgot={() => setFlow('forgotPassword')}
      />
      <Divider mt="lg" mb="md" label={t('login.or')} />
      <SocialButtons
        leavingFor={providers.leavingFor}
        onChoose={(provider) => providers.choose(provider, remember)}
      />
      <Suspense fallback={<LoadingNotice />}>
        {flow === 'signUp' && (
          <SignUpFlow
            onClose={() => setFlow(undefined)}
            onCreated={(created) => {
              setFlow(undefined);
              firstLogIn.enter(created);
            }}
          />
        )}
        {providers.newPerson && (
          <SignUpFlow
            provided={providers.newPerson.person}
            onClose={providers.forget}
            onCreated={providers.again}
          />
        )}
        {flow === 'forgotPassword' && <ForgotPasswordFlow onClose={() => setFlow(undefined)} />}
      </Suspense>
    </AuthPage>
  );
}

function SecondStepPage(props: React.ComponentProps<typeof SecondStep>) {
  const { t } = useTranslation('auth');
  return (
    <AuthPage heading={t('login.secondFactor')} lead={t('login.secondFactorLead')} foot={null}>
      <Suspense fallback={<LoadingNotice />}>
        <SecondStep {...props} />
      </Suspense>
    </AuthPage>
  );
}

/** Explains why the session ended. */
function SignedOutNotice() {
  const { t } = useTranslation('auth');
  const [reason] = useState(whySignedOut);
  if (!reason) return null;
  return (
    <Alert role="status" variant="light" py="xs" className={classes.notice}>
      {t(`login.signedOut.${reason}`)}
    </Alert>
  );
}

/** Reminds of the invitation whose page led here. */
function InvitedNotice() {
  const { t } = useTranslation('auth');
  return (
    <Alert role="status" variant="light" py="xs" className={classes.notice}>
      {t('login.invited')}
    </Alert>
  );
}

function Foot({ onSignUp }: { onSignUp: () => void }) {
  const { t } = useTranslation('auth');
  return (
    <>
      {t('login.noAccount')}{' '}
      <Anchor component="button" type="button" fw={600} onClick={onSignUp}>
        {t('login.signUp')}
      </Anchor>{' '}
      <Anchor component={Link} to={paths.register}>
        {t('social.phone')}
      </Anchor>
    </>
  );
}

/** Why the API redirected back without a code, from the query string. */
const reasons = {
  CANCELLED: 'cancelled',
  PROVIDER_EMAIL_REQUIRED: 'emailRequired',
  SIGN_IN_EXPIRED: 'expired',
} as const;

const isReason = (name: string): name is keyof typeof reasons => name in reasons;

/** Completes a login when the browser returns from a provider, or shows what went wrong. */
function useProviderReturn(onReturn: (returned: ProviderReturn) => void): {
  error: string | undefined;
  isFinishing: boolean;
} {
  const { t } = useTranslation('auth');
  const { hash, pathname } = useLocation();
  const navigate = useNavigate();
  const [error, setError] = useState<string>();
  const [isFinishing, setFinishing] = useState(false);
  // A code works once, and effects may run twice.
  const taken = useRef('');
  useEffect(() => {
    if (hash === '' || taken.current === hash) return;
    taken.current = hash;
    const answer = new URLSearchParams(hash.slice(1));
    const [code, refused] = [answer.get('code'), answer.get('refused')];
    void navigate(pathname, { replace: true });
    if (refused !== null) setError(t(`social.${isReason(refused) ? reasons[refused] : 'failed'}`));
    if (code === null) return;
    setFinishing(true);
    finishSignInOnReturn(code)
      .then(
        (returned) => (returned ? onReturn(returned) : setError(t('social.expired'))),
        (cause: unknown) => setError(errorText(cause)),
      )
      .finally(() => setFinishing(false));
  }, [hash, pathname, navigate, onReturn, t]);
  return { error, isFinishing };
}
