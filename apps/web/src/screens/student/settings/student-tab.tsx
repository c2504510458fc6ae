import { useMutation, useQuery } from '@apollo/client/react';
import { Badge, Button, Group, Stack, Text, Title } from '@mantine/core';
import IconDeviceDesktop from '@tabler/icons-react/dist/esm/icons/IconDeviceDesktop.mjs';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../../components/notices';
import rows from '../../../components/framed-rows.module.css';
import { LanguageChoice } from '../../../components/language-choice';
import { RelativeTime } from '../../../components/relative-time';
import { SkeletonRows } from '../../../components/skeletons';
import { toast } from '../../../components/toast';
import {
  EndOtherSessionsDocument,
  EndSessionDocument,
  OwnSessionsDocument,
  type OwnSessionsQuery,
} from '../../../generated/graphql';
import { errorText } from '../../../lib/api/errors';
import classes from './settings.module.css';

/** Language and sessions. */
export function StudentTab() {
  const { t } = useTranslation('settings', { keyPrefix: 'student' });
  return (
    <Stack gap="lg">
      <section className={classes.card} aria-labelledby="settings-language">
        <Title order={2} size="h3" id="settings-language" mb="md">
          {t('language')}
        </Title>
        <LanguageChoice labelledBy="settings-language" />
      </section>
      <section className={classes.card} aria-labelledby="settings-sessions">
        <Title order={2} size="h3" id="settings-sessions">
          {t('sessions')}
        </Title>
        <OwnSessions />
      </section>
    </Stack>
  );
}

type Session = OwnSessionsQuery['getSessions'][number];

/** All sessions, with a button to end each. */
function OwnSessions() {
  const { t } = useTranslation('settings', { keyPrefix: 'student' });
  const { data, error, refetch } = useQuery(OwnSessionsDocument, { fetchPolicy: 'network-only' });
  const [endOthers, { loading }] = useMutation(EndOtherSessionsDocument, {
    refetchQueries: [OwnSessionsDocument],
    awaitRefetchQueries: true,
    onCompleted: () => toast.success(t('endedOthers')),
    onError: (cause) => toast.error(errorText(cause)),
  });
  if (error && !data) return <ErrorNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <SkeletonRows count={2} height={72} />;
  const isAlone = data.getSessions.length < 2;
  return (
    <Stack gap="md" mt={4}>
      <Text c="dimmed" size="sm">
        {t(isAlone ? 'onlyThisDevice' : 'sessionsHint')}
      </Text>
      <ul className={rows.list}>
        {data.getSessions.map((session) => (
          <SessionRow key={session._id} session={session} />
        ))}
      </ul>
      {!isAlone && (
        <Group justify="flex-end">
          <Button variant="default" loading={loading} onClick={() => void endOthers()}>
            {t('endOthers')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}

function SessionRow({ session }: { session: Session }) {
  const { t } = useTranslation('settings', { keyPrefix: 'student' });
  const [end, { loading }] = useMutation(EndSessionDocument, {
    variables: { id: session._id },
    refetchQueries: [OwnSessionsDocument],
    awaitRefetchQueries: true,
    onCompleted: () => toast.success(t('ended')),
    onError: (cause) => toast.error(errorText(cause)),
  });
  const device = t('device', {
    browser: session.browser ?? t('unknownBrowser'),
    system: session.system ?? t('unknownSystem'),
  });
  return (
    <li className={rows.row}>
      <IconDeviceDesktop size={22} stroke={1.5} aria-hidden />
      <div className={rows.grow}>
        <Group gap="xs">
          <Text fw={600}>{device}</Text>
          {session.isCurrent && (
            <Badge variant="light" color="green" tt="none">
              {t('current')}
            </Badge>
          )}
          {session.factorAt != null && (
            <Badge variant="light" tt="none">
              {t('withFactor')}
            </Badge>
          )}
        </Group>
        <Text size="sm" c="dimmed">
          <RelativeTime at={session.lastUsedAt} phrase={(when) => t('lastUsed', { when })} /> ·{' '}
          <RelativeTime at={session.createdAt} phrase={(when) => t('signedIn', { when })} /> ·{' '}
          {session.address}
        </Text>
      </div>
      {!session.isCurrent && (
        <Button
          variant="default"
          size="xs"
          loading={loading}
          aria-label={t('endOf', { device })}
          onClick={() => void end()}
        >
          {t('end')}
        </Button>
      )}
    </li>
  );
}
