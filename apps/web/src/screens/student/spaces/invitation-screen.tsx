import { useMutation, useQuery } from '@apollo/client/react';
import { Button, Card, Group, Stack, Text, Title } from '@mantine/core';
import IconMailOff from '@tabler/icons-react/dist/esm/icons/IconMailOff.mjs';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useLocation, useNavigate } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { EmptyState } from '../../../components/empty-state';
import { FormAlert } from '../../../components/notices';
import { Logo } from '../../../components/logo';
import { PageHeading } from '../../../components/page-heading';
import { SkeletonRows } from '../../../components/skeletons';
import { SkipLink } from '../../../components/skip-link';
import { Header, LogoutDialog } from '../../../features/shell/header';
import {
  InvitedSpaceDocument,
  JoinByInvitationDocument,
  type SpaceCardFragment,
} from '../../../generated/graphql';
import { enterSpace } from '../../../lib/auth-storage';
import { errorText } from '../../../lib/api/errors';
import { decodeSecret, takeInvitation } from './pending-invitation';
import { AdmissionDialog, admissionStep } from './admission-dialog';
import classes from './spaces-screen.module.css';
import { contentId } from '../../../lib/browser/focus';

/** Target of an invitation link or class code. The secret is in the fragment, which is never sent to a server. */
export default function InvitationScreen() {
  const { t } = useTranslation('spaces');
  const [isLoggingOut, setLoggingOut] = useState(false);
  const { hash } = useLocation();
  const secret = decodeSecret(hash);
  // Used now: the spaces page must not lead here again.
  useEffect(() => void takeInvitation(), []);
  if (secret === '') return <Navigate to={paths.spaces} replace />;
  return (
    <>
      <SkipLink />
      <Header start={<Logo />} onLogout={() => setLoggingOut(true)} />
      <main id={contentId} className={classes.main} tabIndex={-1}>
        <PageHeading>{t('invitation.title')}</PageHeading>
        <Invitation key={secret} secret={secret} />
      </main>
      <LogoutDialog opened={isLoggingOut} onClose={() => setLoggingOut(false)} />
    </>
  );
}

function Invitation({ secret }: { secret: string }) {
  const { t } = useTranslation('spaces');
  const { data, error } = useQuery(InvitedSpaceDocument, {
    variables: { secret },
    fetchPolicy: 'network-only',
    nextFetchPolicy: 'cache-first',
  });
  if (error)
    return (
      <EmptyState
        icon={IconMailOff}
        title={t('invitation.refused')}
        text={errorText(error)}
        action={
          <Button component={Link} to={paths.spaces}>
            {t('invitation.toSpaces')}
          </Button>
        }
      />
    );
  return data ? (
    <Offer space={data.getInvitedSpace} secret={secret} />
  ) : (
    <SkeletonRows count={2} height={64} />
  );
}

function Offer({ space, secret }: { space: SpaceCardFragment; secret: string }) {
  const { t } = useTranslation('spaces');
  const [failure, setFailure] = useState<string>();
  const navigate = useNavigate();
  const enter = (joined: SpaceCardFragment) => {
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
