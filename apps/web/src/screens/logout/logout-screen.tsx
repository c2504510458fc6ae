import { Center, Loader, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router-dom';
import { paths } from '../../app/paths';
import { forgetDraftsOf } from '../../features/questions/use-draft';
import type { LogoutMutation } from '../../generated/graphql';
import { signOut, useAuthUser } from '../../lib/auth-storage';
import { postGraphql } from '../../lib/graphql-fetch';
import { useScreenTitle } from '../../lib/use-screen-title';
import logout from './logout.graphql?raw';

/** Signs out by being shown. */
export default function LogoutScreen() {
  const { t } = useTranslation('shell');
  const user = useAuthUser();
  useScreenTitle(t('logout.title'));
  useEffect(() => {
    // A session that the api cannot end any more is forgotten here all the same.
    if (!user) return;
    forgetDraftsOf(user._id);
    void postGraphql<LogoutMutation, object>(logout, {})
      .catch(() => undefined)
      .finally(signOut);
  }, [user]);
  if (!user) return <Navigate to={paths.login} replace />;
  return (
    <Center component="main" mih="100dvh">
      <Stack align="center" role="status">
        <Loader />
        <Text c="dimmed">{t('logout.inProgress')}</Text>
      </Stack>
    </Center>
  );
}
