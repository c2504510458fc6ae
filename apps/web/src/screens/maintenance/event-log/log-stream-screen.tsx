import { useQuery } from '@apollo/client/react';
import { Anchor, Button, Group, Skeleton } from '@mantine/core';
import IconArrowLeft from '@tabler/icons-react/dist/esm/icons/IconArrowLeft.mjs';
import IconDatabaseSearch from '@tabler/icons-react/dist/esm/icons/IconDatabaseSearch.mjs';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { EmptyState } from '../../../components/empty-state';
import { ErrorNotice } from '../../../components/notices';
import { PageHeading } from '../../../components/page-heading';
import { useAddressParams } from '../../../features/filters/address-params';
import { LogStreamDocument } from '../../../generated/graphql';
import { paths } from '../../../lib/paths';
import classes from './event-log.module.css';
import { LogTable } from './log-table';

const PAGE_ROWS = 50;

const numberIn = (text: string | null): number | null =>
  text !== null && /^\d{1,9}$/.test(text) ? Number(text) : null;

/** All events of one stream in order. The stream is named in the URL, or found by one of its events. */
export default function LogStreamScreen() {
  const { t } = useTranslation('eventLog');
  const [params, change] = useAddressParams();
  const ordinal = numberIn(params.get('of'));
  const fromRevision = numberIn(params.get('from')) ?? 0;
  const { data, error, refetch } = useQuery(LogStreamDocument, {
    variables: { ordinal, streamId: ordinal === null ? params.get('id') : null, fromRevision },
    fetchPolicy: 'network-only',
  });
  const stream = data?.getLogStream;
  const show = (revision: number) =>
    change((latest) => {
      const next = new URLSearchParams(latest);
      next.set('from', String(revision));
      return next;
    });
  return (
    <div className={classes.screen}>
      <Anchor component={Link} to={paths.log} className={classes.back}>
        <IconArrowLeft size={18} stroke={1.75} aria-hidden />
        {t('title')}
      </Anchor>
      <PageHeading>{t('stream.title')}</PageHeading>
      {stream && <code className={classes.id}>{stream.streamId}</code>}
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Skeleton height={320} radius="lg" />}
      {stream === null && (
        <EmptyState icon={IconDatabaseSearch} title={t('stream.missing')} text={t('stream.missingText')} />
      )}
      {stream && (
        <>
          <LogTable label={t('stream.title')} events={stream.events} isOfStream />
          {(stream.hasMore || fromRevision > 0) && (
            <Group gap="xs">
              <Button
                variant="default"
                disabled={fromRevision === 0}
                onClick={() => show(Math.max(0, fromRevision - PAGE_ROWS))}
              >
                {t('stream.earlier')}
              </Button>
              <Button
                variant="default"
                disabled={!stream.hasMore}
                onClick={() => show(fromRevision + stream.events.length)}
              >
                {t('stream.later')}
              </Button>
            </Group>
          )}
        </>
      )}
    </div>
  );
}
