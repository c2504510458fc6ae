import { Button, Center, Group, Loader, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, Navigate, useLocation } from 'react-router-dom';
import { isLogoutMeant, paths } from '../../../lib/paths';
import { forgetDraftsOf } from '../../../features/questions/drafts';
import type { LogoutMutation } from '../../../generated/graphql';
import { signOut, useAuthUser } from '../../../lib/auth-storage';
import { postGraphql } from '../../../lib/api/graphql-fetch';
import { useScreenTitle } from '../../../lib/browser/announce';
import logout from './logout.graphql?call';

/**
 * Logs out at once when reached by our Logout button and asks when reached by a link, so that nobody is logged out by
 * what others post.
 */
export default function LogoutScreen() {
  const { t } = useTranslation(['frame', 'shell']);
  const user = useAuthUser();
  const location = useLocation();
  const [isMeant, setMeant] = useState(isLogoutMeant(location.state));
  useScreenTitle(t('logout.title'));
  useEffect(() => {
    // A session the API can no longer end is still forgotten here.
    if (!user || !isMeant) return;
    forgetDraftsOf(user._id);
    void postGraphql<LogoutMutation, object>(logout, {})
      .catch(() => undefined)
      .finally(() => signOut());
  }, [user, isMeant]);
  if (!user) return <Navigate to={paths.login} replace />;
  return (
    <Center component="main" mih="100dvh">
      {isMeant ? (
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
            <Button onClick={() => setMeant(true)}>{t('logout.confirm')}</Button>
          </Group>
        </Stack>
      )}
    </Center>
  );
}
