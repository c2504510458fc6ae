import { Anchor, Button, Stack, Text } from '@mantine/core';
import { Suspense, useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate } from 'react-router-dom';
import { LoadingNotice } from '../../../components/loading-notice';
import { ErrorNotice, FormAlert } from '../../../components/notices';
import { SkeletonRows } from '../../../components/skeletons';
import { AuthPage } from '../../../features/auth-page/auth-page';
import { logIn } from '../../../features/credentials/log-in';
import type { NewAccount } from '../../../features/sign-up/create-profile-modal';
import { withAllTexts } from '../../../i18n/i18n';
import { errorRule, errorText, usePending } from '../../../lib/api/errors';
import { continueInBrowser } from '../../../lib/browser/device';
import { lazyPart } from '../../../lib/browser/loading';
import { useScreenTitle } from '../../../lib/browser/announce';
import { paths } from '../../../lib/paths';
import { ClassCodeForm } from './class-code-form';
import { keepInvitation } from './pending-invitation';
import { isRefusal, useInvitedSpace } from './use-invited-space';

const SignUpFlow = lazyPart(withAllTexts(() => import('../../../features/sign-up/sign-up-flow')));

/** Navigation state of the page after signing up on it. Links from elsewhere cannot carry it. */
const signedUp = { hasSignedUp: true } as const;

export const hasSignedUp = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'hasSignedUp' in state && state.hasSignedUp === true;

/** An invitation without an account: names the space and leads through sign-up into it. */
export function VisitorPage({ secret }: { secret: string }) {
  const { t } = useTranslation('spaces');
  const { space, error, refetch } = useInvitedSpace(secret);
  const heading = space
    ? t('invitation.join', { name: space.name })
    : t(secret === '' ? 'code.title' : error && isRefusal(error) ? 'invitation.refused' : 'invitation.title');
  useScreenTitle(heading);
  // The code may still be right: accounts have their own limit.
  const needsAccount = errorRule(error) === 'CODE_REQUIRES_ACCOUNT';
  useEffect(() => {
    if (space || needsAccount) keepInvitation(secret);
  }, [space, needsAccount, secret]);
  if (secret === '')
    return (
      <AuthPage heading={heading} lead={t('code.lead')} foot={<LogInFoot />}>
        <ClassCodeForm />
      </AuthPage>
    );
  if (needsAccount)
    return (
      <AuthPage heading={t('invitation.title')} lead={errorText(error)} foot={null}>
        <AccountChoice />
      </AuthPage>
    );
  if (error)
    return (
      <AuthPage heading={heading} lead={isRefusal(error) ? errorText(error) : '\u00a0'} foot={<LogInFoot />}>
        {isRefusal(error) ? <ClassCodeForm /> : <ErrorNotice error={error} onRetry={refetch} />}
      </AuthPage>
    );
  return (
    <AuthPage heading={heading} lead={space ? t('invitation.visitor') : '\u00a0'} foot={null}>
      {space ? (
        <Stack gap="lg">
          {space.description !== '' && <Text dir="auto">{space.description}</Text>}
          <AccountChoice />
        </Stack>
      ) : (
        <SkeletonRows count={2} height={48} />
      )}
    </AuthPage>
  );
}

/** Sign-up stays on this page; logging in returns to it. */
function AccountChoice() {
  const { t } = useTranslation('auth');
  const [isSigningUp, setSigningUp] = useState(false);
  const { isPending, error, setError, run } = usePending();
  const { pathname, hash } = useLocation();
  const navigate = useNavigate();
  const enter = (account: NewAccount) => {
    setSigningUp(false);
    void run(async () => {
      // Kept by the history, since the signed-in page is a new one.
      await navigate({ pathname, hash }, { replace: true, state: signedUp });
      const outcome = await logIn({ ...account, remember: false });
      if (outcome.kind === 'refused') setError(outcome.reason);
    });
  };
  return (
    <Stack gap="sm">
      {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
      <Button loading={isPending} onClick={() => setSigningUp(true)}>
        {t('login.signUp')}
      </Button>
      <Button component={Link} to={paths.register} variant="subtle" onClick={continueInBrowser}>
        {t('social.phone')}
      </Button>
      <Button
        component={Link}
        to={paths.login}
        state={{ from: `${pathname}${hash}` }}
        variant="default"
        onClick={continueInBrowser}
      >
        {t('login.submit')}
      </Button>
      <Suspense fallback={<LoadingNotice />}>
        {isSigningUp && <SignUpFlow onClose={() => setSigningUp(false)} onCreated={enter} />}
      </Suspense>
    </Stack>
  );
}

/** Logging in leads back to the field for the code. */
function LogInFoot() {
  const { t } = useTranslation(['account', 'auth']);
  return (
    <>
      {t('account:register.hasAccount')}{' '}
      <Anchor
        component={Link}
        to={paths.login}
        state={{ from: paths.join }}
        fw={600}
        onClick={continueInBrowser}
      >
        {t('auth:login.submit')}
      </Anchor>
    </>
  );
}
