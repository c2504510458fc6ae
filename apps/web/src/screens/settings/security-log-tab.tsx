import { Stack, Text, Title } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { SecurityLogList } from '../../features/security-log/security-log-list';
import { OwnSecurityLogDocument } from '../../generated/graphql';
import { freshAtEachVisit, usePagedList } from '../../lib/paged-list';
import classes from './settings.module.css';

/** What happened to the access to one's own account. */
export function SecurityLogTab() {
  const { t } = useTranslation('securityLog');
  const log = usePagedList(OwnSecurityLogDocument, { page: 1 }, 'getSecurityLog', freshAtEachVisit);
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
