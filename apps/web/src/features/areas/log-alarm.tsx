import { useQuery } from '@apollo/client/react';
import { Alert, Code, List, Text } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import { useTranslation } from 'react-i18next';
import { LogAlarmDocument, type LogAlarmQuery } from '../../generated/graphql';
import { timings } from '../../lib/timings';

/** Alerts maintainers on every page of their area if the log does not match its proof. */
export function LogAlarm() {
  const { data } = useQuery(LogAlarmDocument, {
    fetchPolicy: 'network-only',
    pollInterval: timings.logAlarmRefresh,
    skipPollAttempt: () => document.hidden,
  });
  const mismatches = data?.getLogProof.mismatches ?? [];
  return mismatches.length === 0 ? null : <Mismatches mismatches={mismatches} />;
}

export function Mismatches({ mismatches }: { mismatches: LogAlarmQuery['getLogProof']['mismatches'] }) {
  const { t } = useTranslation('proof');
  return (
    <Alert role="alert" color="red" mb="lg" title={t('alarm.title')} icon={<IconAlertTriangle aria-hidden />}>
      <Text size="sm">{t('alarm.text')}</Text>
      <Text size="sm" mt="xs">
        {t('alarm.instructions')}
      </Text>
      <Code block mt="xs">
        npm run nimo -- log verify
      </Code>
      <Text size="sm" mt="xs" fw={600}>
        {t('alarm.findings')}
      </Text>
      {/* In English as on the command line, so that maintainers can search for it. */}
      <List size="sm" lang="en">
        {mismatches.map(({ detail }) => (
          <List.Item key={detail}>{detail}</List.Item>
        ))}
      </List>
    </Alert>
  );
}
