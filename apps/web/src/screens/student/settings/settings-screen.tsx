import { useQuery } from '@apollo/client/react';
import { Button, Stack, Tabs, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { paths } from '../../../lib/paths';
import { ErrorNotice } from '../../../components/notices';
import rows from '../../../components/framed-rows.module.css';
import { PageHeading } from '../../../components/page-heading';
import { SkeletonRows } from '../../../components/skeletons';
import { SecurityLogList } from '../../../features/security-log/security-log-list';
import { OwnAccountDocument, OwnSecurityLogDocument } from '../../../generated/graphql';
import { enterSpace } from '../../../lib/auth-storage';
import { refetchOnMount, usePagedList } from '../../../lib/api/paged-list';
import { useTabInView } from '../../../lib/browser/viewport';
import { DeleteAccountTab } from './delete-account-tab';
import { OwnDataTab } from './own-data-tab';
import { PasswordTab } from './password-tab';
import { ProfileTab, type OwnSpace } from './profile-tab';
import { SecondFactorTab } from './second-factor-tab';
import classes from './settings.module.css';
import { StudentTab } from './student-tab';
import type { OwnAccount } from './contact-change';

type TabName =
  | 'profile'
  | 'password'
  | 'secondFactor'
  | 'securityLog'
  | 'student'
  | 'ownData'
  | 'teacher'
  | 'deletion';

function useOpenTab(names: readonly TabName[]) {
  const [search, setSearch] = useSearchParams();
  const requested = search.get('tab');
  const open = names.find((name) => name === requested) ?? 'profile';
  const show = (name: string | null) =>
    setSearch(name === null || name === 'profile' ? {} : { tab: name }, { replace: true });
  return [open, show] as const;
}

/** Account settings. The open tab is kept in the URL. */
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
          {withAccount((own) => (
            <OwnDataTab account={own} />
          ))}
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

/** Security log of the account. */
function SecurityLogTab() {
  const { t } = useTranslation('securityLog');
  const log = usePagedList(OwnSecurityLogDocument, { page: 1 }, 'getSecurityLog', refetchOnMount);
  return (
    <section className={classes.card} aria-labelledby="settings-security-log">
      <Stack gap="md">
        <Title order={2} size="h3" id="settings-security-log">
          {t('title')}
        </Title>
        <Text c="dimmed">{t('lead')}</Text>
        <SecurityLogList log={log} />
      </Stack>
    </section>
  );
}

interface TeacherTabProps {
  roles: OwnAccount['roles'];
  spaces: readonly OwnSpace[];
}

/** Additional roles, where they apply, and links to their areas. */
function TeacherTab({ roles, spaces }: TeacherTabProps) {
  const { t } = useTranslation('settings', { keyPrefix: 'teacher' });
  return (
    <Stack gap="md" className={classes.card}>
      <Text c="dimmed">{t('lead')}</Text>
      <ul className={rows.list}>
        {roles.map(({ role, space }) => (
          <RoleRow
            key={`${role} ${space ?? ''}`}
            role={role}
            space={spaces.find(({ _id }) => _id === space)}
            isEverywhere={space === null}
          />
        ))}
      </ul>
    </Stack>
  );
}

interface RoleRowProps {
  role: OwnAccount['roles'][number]['role'];
  space: OwnSpace | undefined;
  isEverywhere: boolean;
}

function RoleRow({ role, space, isEverywhere }: RoleRowProps) {
  const { t } = useTranslation('settings', { keyPrefix: 'teacher' });
  const navigate = useNavigate();
  const isModerator = role === 'MODERATOR';
  const open = ({ _id, name }: OwnSpace) => {
    enterSpace({ _id, name });
    void navigate(paths.dashboard);
  };
  return (
    <li className={rows.row}>
      <div className={rows.grow}>
        <Text fw={600}>
          {t(isModerator ? 'moderator' : 'maintainer')} · {isEverywhere ? t('allSpaces') : space?.name}
        </Text>
        <Text size="sm" c="dimmed">
          {t(isModerator ? 'moderatorRights' : 'maintainerRights')}
        </Text>
      </div>
      {isModerator ? (
        <Button component={Link} to={paths.moderation} variant="default" size="xs">
          {t('toModeration')}
        </Button>
      ) : (
        <Button component={Link} to={paths.maintenance} variant="default" size="xs">
          {t('toMaintenance')}
        </Button>
      )}
      {space?.joined && (
        <Button
          variant="default"
          size="xs"
          aria-label={t('openOf', { space: space.name })}
          onClick={() => open(space)}
        >
          {t('open')}
        </Button>
      )}
    </li>
  );
}
