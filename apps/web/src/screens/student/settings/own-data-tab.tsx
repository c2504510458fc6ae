import { useMutation, useQuery } from '@apollo/client/react';
import { Button, Group, Progress, Stack, Text, Title } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { ErrorNotice, FormAlert } from '../../../components/notices';
import { SkeletonRows } from '../../../components/skeletons';
import { toast } from '../../../components/toast';
import {
  RequestOwnExportDocument,
  DeleteOwnExportDocument,
  OwnDataExportDocument,
  type OwnDataExportQuery,
} from '../../../generated/graphql';
import { errorText, usePending } from '../../../lib/api/errors';
import { saveFile } from '../../../lib/api/files';
import { paths } from '../../../lib/paths';
import { timings } from '../../../lib/timings';
import type { OwnAccount } from './contact-change';
import { ContactsCard } from './contacts-card';
import classes from './settings.module.css';

/** Correction, download and deletion of a student's own data. */
export function OwnDataTab({ account }: { account: OwnAccount }) {
  return (
    <Stack gap="lg">
      <ContactsCard account={account} />
      <OwnDataCard />
      <DeletionCard />
    </Stack>
  );
}

/** Leads to the deletion, which has a tab of its own. */
function DeletionCard() {
  const { t } = useTranslation('settings');
  return (
    <section className={classes.card} aria-labelledby="settings-own-deletion">
      <Title order={2} size="h3" id="settings-own-deletion">
        {t('deletion.title')}
      </Title>
      <Text c="dimmed" mt="xs" mb="md">
        {t('deletion.lead')}
      </Text>
      <Button component={Link} to={`${paths.settings}?tab=deletion`} variant="default">
        {t('deletion.title')}
      </Button>
    </section>
  );
}

type OwnExport = NonNullable<OwnDataExportQuery['getOwnExport']>;

const isInProgress = (own: OwnExport | null | undefined): boolean =>
  own?.status === 'WAITING' || own?.status === 'WORKING';

/** Personal data export: requested, prepared by the server, downloaded within a day. */
function OwnDataCard() {
  const { t } = useTranslation('settings', { keyPrefix: 'ownData' });
  return (
    <section className={classes.card} aria-labelledby="settings-own-data">
      <Title order={2} size="h3" id="settings-own-data">
        {t('title')}
      </Title>
      <Stack gap="md" mt="xs">
        <Text c="dimmed">{t('lead')}</Text>
        <OwnCopy />
      </Stack>
    </section>
  );
}

function useOwnExport() {
  const [isWaiting, setWaiting] = useState(false);
  const { data, error, refetch } = useQuery(OwnDataExportDocument, {
    fetchPolicy: 'network-only',
    notifyOnNetworkStatusChange: false,
    pollInterval: isWaiting ? timings.ownExportRefresh : 0,
  });
  const own = data?.getOwnExport;
  const isPending = isInProgress(own);
  useEffect(() => setWaiting(isPending), [isPending]);
  return { own, isThere: data !== undefined, error, refetch };
}

function OwnCopy() {
  const { t, i18n } = useTranslation('settings', { keyPrefix: 'ownData' });
  const { own, isThere, error, refetch } = useOwnExport();
  const [ask, { loading }] = useMutation(RequestOwnExportDocument, {
    variables: { language: i18n.language },
    onCompleted: () => void refetch(),
    onError: (cause) => toast.error(errorText(cause)),
  });
  if (!isThere)
    return error ? (
      <ErrorNotice error={error} onRetry={() => void refetch()} />
    ) : (
      <SkeletonRows count={1} height={48} />
    );
  if (own && isInProgress(own)) return <ExportProgress percent={own.percent} onChanged={refetch} />;
  return (
    <>
      {own?.status === 'FAILED' && <FormAlert kind="error">{t('failed')}</FormAlert>}
      {own?.status === 'READY' && <Ready own={own} onChanged={refetch} />}
      <Group justify="flex-end">
        <Button
          variant={own?.status === 'READY' ? 'default' : 'filled'}
          loading={loading}
          onClick={() => void ask()}
        >
          {t(own?.status === 'READY' ? 'prepareAgain' : 'prepare')}
        </Button>
      </Group>
    </>
  );
}

function ExportProgress({ percent, onChanged }: { percent: number; onChanged: () => Promise<unknown> }) {
  const { t } = useTranslation('settings', { keyPrefix: 'ownData' });
  return (
    <>
      <Text role="status">{t('inProgress', { percent })}</Text>
      <Progress.Root size="lg">
        <Progress.Section value={percent} aria-label={t('progress')} />
      </Progress.Root>
      <Text size="sm" c="dimmed">
        {t('canLeave')}
      </Text>
      <Group justify="flex-end">
        <DiscardExport label={t('cancel')} onDiscarded={onChanged} />
      </Group>
    </>
  );
}

function Ready({ own, onChanged }: { own: OwnExport; onChanged: () => Promise<unknown> }) {
  const { t, i18n } = useTranslation('settings', { keyPrefix: 'ownData' });
  const { isPending, error, run } = usePending();
  const download = async () => {
    await saveFile('/own-data/export.zip', 'nimo-data.zip', new AbortController().signal);
  };
  const time = (at: string) =>
    new Date(at).toLocaleString(i18n.language, { dateStyle: 'medium', timeStyle: 'short' });
  return (
    <>
      {error !== undefined && <FormAlert kind="error">{error}</FormAlert>}
      <Text role="status">
        {t('ready', { size: own.kilobytes ?? 0, until: time(own.expiresAt ?? own.requestedAt) })}
      </Text>
      <Group gap="sm">
        <Button loading={isPending} onClick={() => void run(download)}>
          {t('download')}
        </Button>
        <DiscardExport label={t('delete')} onDiscarded={onChanged} />
      </Group>
    </>
  );
}

function DiscardExport({ label, onDiscarded }: { label: string; onDiscarded: () => Promise<unknown> }) {
  const [drop, { loading }] = useMutation(DeleteOwnExportDocument, {
    onCompleted: () => void onDiscarded(),
    onError: (cause) => toast.error(errorText(cause)),
  });
  return (
    <Button variant="default" loading={loading} onClick={() => void drop()}>
      {label}
    </Button>
  );
}
