import { useMutation } from '@apollo/client/react';
import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import IconMailOff from '@tabler/icons-react/dist/esm/icons/IconMailOff.mjs';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useLocation, useNavigate, useParams } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { EmptyState } from '../../../components/empty-state';
import { ErrorNotice, FormAlert } from '../../../components/notices';
import { Logo } from '../../../components/logo';
import { PageHeading } from '../../../components/page-heading';
import { SkeletonRows } from '../../../components/skeletons';
import { SkipLink } from '../../../components/skip-link';
import { Header, LogoutDialog } from '../../../features/shell/header';
import { JoinByInvitationDocument, type SpaceCardFragment } from '../../../generated/graphql';
import { enterSpace, useAuthUser } from '../../../lib/auth-storage';
import { errorText } from '../../../lib/api/errors';
import { continueInBrowser } from '../../../lib/browser/device';
import { contentId } from '../../../lib/browser/focus';
import { AdmissionDialog, admissionStep } from './admission-dialog';
import { ClassCodeForm } from './class-code-form';
import { hasSignedUp, VisitorPage } from './invited-visitor';
import { decodeSecret, takeInvitation } from './pending-invitation';
import { isRefusal, useInvitedSpace } from './use-invited-space';
import classes from './spaces-screen.module.css';

/** Target of an invitation link (`/join#<secret>`) or class code (`/join/<code>`), with or without an account. */
export default function InvitationScreen() {
  const user = useAuthUser();
  const { code } = useParams();
  const { hash } = useLocation();
  const secret = code ?? decodeSecret(hash);
  return user ? <StudentPage secret={secret} /> : <VisitorPage key={secret} secret={secret} />;
}

function StudentPage({ secret }: { secret: string }) {
  const { t } = useTranslation('spaces');
  const [isLoggingOut, setLoggingOut] = useState(false);
  // Used now: the spaces page must not lead here again.
  useEffect(() => void takeInvitation(), []);
  return (
    <>
      <SkipLink />
      <Header start={<Logo />} onLogout={() => setLoggingOut(true)} />
      <main id={contentId} className={classes.main} tabIndex={-1}>
        <PageHeading>{t(secret === '' ? 'code.title' : 'invitation.title')}</PageHeading>
        {secret === '' ? <EnterCode /> : <Invitation key={secret} secret={secret} />}
      </main>
      <LogoutDialog opened={isLoggingOut} onClose={() => setLoggingOut(false)} />
    </>
  );
}

function EnterCode() {
  const { t } = useTranslation('spaces');
  return (
    <>
      <Text c="dimmed">{t('code.lead')}</Text>
      <ClassCodeForm />
    </>
  );
}

function Invitation({ secret }: { secret: string }) {
  const { t } = useTranslation('spaces');
  const { space, error, refetch } = useInvitedSpace(secret);
  if (error && !isRefusal(error)) return <ErrorNotice error={error} onRetry={refetch} />;
  if (error)
    return (
      <EmptyState
        icon={IconMailOff}
        title={t('invitation.refused')}
        text={errorText(error)}
        action={
          <Stack align="center">
            <ClassCodeForm />
            <Button component={Link} to={paths.spaces} variant="subtle">
              {t('invitation.toSpaces')}
            </Button>
          </Stack>
        }
      />
    );
  return space ? <Offer space={space} secret={secret} /> : <SkeletonRows count={2} height={64} />;
}

function Offer({ space, secret }: { space: SpaceCardFragment; secret: string }) {
  const { t } = useTranslation('spaces');
  const [failure, setFailure] = useState<string>();
  const navigate = useNavigate();
  const enter = (joined: SpaceCardFragment) => {
    continueInBrowser();
    enterSpace(joined);
    void navigate(paths.dashboard);
  };
  const [join, { loading }] = useMutation(JoinByInvitationDocument, {
    variables: { secret },
    onCompleted: ({ joinByInvitation }) => enter(joinByInvitation),
    onError: (error) => setFailure(errorText(error)),
  });
  const [isDialogOpen, setDialogOpen] = useState(false);
  const { name, description, joined } = space;
  const start = () => (admissionStep(space) ? setDialogOpen(true) : void join());
  useArrivalFromSignUp(joined ? () => enter(space) : start);
  return (
    <Card withBorder mt="lg" padding="lg" maw="40rem">
      <Stack gap="md">
        {failure !== undefined && <FormAlert kind="error">{failure}</FormAlert>}
        <Title order={2}>{name}</Title>
        {description !== '' && <Text dir="auto">{description}</Text>}
        <Text c="dimmed">{joined ? t('invitation.member') : t('invitation.lead', { name })}</Text>
        <Group>
          {joined ? (
            <Button onClick={() => enter(space)}>{t('invitation.enter', { name })}</Button>
          ) : (
            <Button loading={loading} onClick={start}>
              {t('invitation.join', { name })}
            </Button>
          )}
        </Group>
      </Stack>
      {isDialogOpen && (
        <AdmissionDialog
          space={space}
          onClose={() => setDialogOpen(false)}
          onAdmitted={() => {
            setDialogOpen(false);
            void join();
          }}
        />
      )}
    </Card>
  );
}

/** Joins at once after signing up on the visitor's page, which was the choice to join. */
function useArrivalFromSignUp(join: () => void): void {
  const location = useLocation();
  const { pathname, hash } = location;
  const navigate = useNavigate();
  const isArriving = hasSignedUp(location.state);
  const latest = useRef(join);
  latest.current = join;
  useEffect(() => {
    if (!isArriving) return;
    // Not again after a reload or on the way back.
    void navigate({ pathname, hash }, { replace: true });
    latest.current();
  }, [isArriving, navigate, pathname, hash]);
}
