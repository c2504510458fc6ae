import { useQuery } from '@apollo/client/react';
import { Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { joinedPages } from '../../features/security-log/joined-pages';
import { SecurityLogList } from '../../features/security-log/security-log-list';
import { OwnSecurityLogDocument } from '../../generated/graphql';
import { useNextPage } from '../../lib/use-next-page';
import classes from './settings.module.css';

/** What happened to the access to one's own account. */
export function SecurityLogTab() {
  const { t } = useTranslation('securityLog');
  const { data, error, fetchMore, refetch } = useQuery(OwnSecurityLogDocument, {
    variables: { page: 1 },
    fetchPolicy: 'network-only',
    nextFetchPolicy: 'cache-first',
  });
  const log = data?.getSecurityLog;
  const nextPage = useNextPage('own', () =>
    fetchMore({
      variables: { page: (log?.page ?? 0) + 1 },
      updateQuery: (before, { fetchMoreResult: more }) => ({
        getSecurityLog: joinedPages(before.getSecurityLog, more.getSecurityLog),
      }),
    }),
  );
  return (
    <section className={classes.card} aria-labelledby="settings-security-log">
      <Stack gap="md">
        <Title order={2} size="h3" id="settings-security-log">
          {t('title')}
        </Title>
        <Text c="dimmed">{t('lead')}</Text>
        <SecurityLogList log={log} error={error} nextPage={nextPage} onRetry={() => void refetch()} />
      </Stack>
    </section>
  );
}
