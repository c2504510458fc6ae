import { useQuery } from '@apollo/client/react';
import { Stack, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router-dom';
import { ErrorNotice } from '../../components/error-notice';
import { PageHeading } from '../../components/page-heading';
import { SkeletonRows } from '../../components/skeletons';
import { OwnAccountDocument, type OwnAccountQuery } from '../../generated/graphql';
import { useTabInView } from '../../lib/use-tab-in-view';
import { DeleteAccountTab } from './delete-account-tab';
import { OwnDataTab } from './own-data-tab';
import { PasswordTab } from './password-tab';
import { ProfileTab } from './profile-tab';
import classes from './settings.module.css';
import { SecondFactorTab } from './second-factor-tab';
import { SecurityLogTab } from './security-log-tab';
import { StudentTab } from './student-tab';
import { TeacherTab } from './teacher-tab';

type TabName =
  | 'profile'
  | 'password'
  | 'secondFactor'
  | 'securityLog'
  | 'student'
  | 'ownData'
  | 'teacher'
  | 'deletion';

export type OwnAccount = NonNullable<OwnAccountQuery['getStudent']>;
export type OwnSpace = OwnAccountQuery['getSpaces'][number];

function useOpenTab(names: readonly TabName[]) {
  const [search, setSearch] = useSearchParams();
  const asked = search.get('tab');
  const open = names.find((name) => name === asked) ?? 'profile';
  const show = (name: string | null) =>
    setSearch(name === null || name === 'profile' ? {} : { tab: name }, { replace: true });
  return [open, show] as const;
}

/** What a student can change of the own account. The open tab stands in the address. */
export default function SettingsScreen() {
  const { t } = useTranslation('settings');
  const { data, error, refetch } = useQuery(OwnAccountDocument, { fetchPolicy: 'cache-and-network' });
  const account = data?.getStudent;
  const isTeacher = (account?.roles.length ?? 0) > 0;
  const names: readonly TabName[] = [
    'profile',
    'password',
    'secondFactor',
    'securityLog',
    'student',
    'ownData',
    ...(isTeacher ? ['teacher' as const] : []),
    'deletion',
  ];
  const [open, show] = useOpenTab(names);
  const openTab = useTabInView(open);

  const withAccount = (content: (account: OwnAccount, spaces: readonly OwnSpace[]) => ReactNode) => {
    if (data?.getStudent) return content(data.getStudent, data.getSpaces);
    return error ? (
      <ErrorNotice error={error} onRetry={() => void refetch()} />
    ) : (
      <SkeletonRows count={4} height={72} />
    );
  };
  return (
    <Stack className={classes.screen} gap="md">
      <PageHeading>{t('title')}</PageHeading>
      <Tabs value={open} onChange={show} keepMounted={false}>
        <Tabs.List mb="lg">
          {names.map((name) => (
            <Tabs.Tab key={name} value={name} px="0.625rem" ref={name === open ? openTab : undefined}>
              {t(`tabs.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="profile">
          {withAccount((own, spaces) => (
            <ProfileTab account={own} spaces={spaces} />
          ))}
        </Tabs.Panel>
        <Tabs.Panel value="password">
          <PasswordTab />
        </Tabs.Panel>
        <Tabs.Panel value="secondFactor">
          <SecondFactorTab />
        </Tabs.Panel>
        <Tabs.Panel value="securityLog">
          <SecurityLogTab />
        </Tabs.Panel>
        <Tabs.Panel value="student">
          <StudentTab />
        </Tabs.Panel>
        <Tabs.Panel value="ownData">
          <OwnDataTab />
        </Tabs.Panel>
        {isTeacher && (
          <Tabs.Panel value="teacher">
            {withAccount((own, spaces) => (
              <TeacherTab roles={own.roles} spaces={spaces} />
            ))}
          </Tabs.Panel>
        )}
        <Tabs.Panel value="deletion">
          <DeleteAccountTab />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
