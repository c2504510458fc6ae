import { Button, Center, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { hasConfirmedLogout, paths } from '../../../lib/paths';
import { deleteDrafts } from '../../../features/questions/drafts';
import type { LogoutMutation } from '../../../generated/graphql';
import { signOut, useAuthUser } from '../../../lib/auth-storage';
import { postGraphql } from '../../../lib/api/graphql-fetch';
import { useScreenTitle } from '../../../lib/browser/announce';
import logout from './logout.graphql?call';

/**
 * Logs out immediately after our Logout button, and asks first after a link, so that other people's posts cannot log
 * anyone out.
 */
export default function LogoutScreen() {
  const { t } = useTranslation(['frame', 'shell']);
  const user = useAuthUser();
  const location = useLocation();
  const [isConfirmed, setConfirmed] = useState(hasConfirmedLogout(location.state));
  useScreenTitle(t('logout.title'));
  useEffect(() => {
    // A session the API can no longer end is still forgotten here.
    if (!user || !isConfirmed) return;
    deleteDrafts(user._id);
    void postGraphql<LogoutMutation, object>(logout, {})
      .catch(() => undefined)
      .finally(() => signOut());
  }, [user, isConfirmed]);
  if (!user) return <Navigate to={paths.login} replace />;
  return (
    <Center component="main" mih="100dvh">
      {isConfirmed ? (
        <Stack align="center" role="status">
          <Loader />
          <Text c="dimmed">{t('logout.inProgress')}</Text>
        </Stack>
      ) : (
        <Stack align="center">
          <Title order={1} size="h3">
            {t('logout.text')}
          </Title>
          <Group>
            <Button component={Link} to={paths.spaces} variant="default">
              {t('shell:action.cancel')}
            </Button>
            <Button onClick={() => setConfirmed(true)}>{t('logout.confirm')}</Button>
          </Group>
        </Stack>
      )}
    </Center>
  );
}
