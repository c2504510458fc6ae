import { Stack, Text } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import IconShieldLock from '@tabler/icons-react/dist/esm/icons/IconShieldLock.mjs';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { MoreButton } from '../../components/more-button';
import { SkeletonRows } from '../../components/skeletons';
import type { SecurityKind, SecurityLogPagePartsFragment } from '../../generated/graphql';
import { exactTime } from '../../lib/format';
import type { usePages } from '../../lib/use-pages';
import classes from './security-log-list.module.css';

type Entry = SecurityLogPagePartsFragment['docs'][number];

/** Somebody tried something and did not succeed. */
const failures: ReadonlySet<SecurityKind> = new Set<SecurityKind>([
  'CODE_FAILED',
  'FACTOR_FAILED',
  'LOG_IN_FAILED',
  'PASSWORD_CHECK_FAILED',
]);

interface SecurityLogListProps {
  log: ReturnType<typeof usePages<unknown, { page: number }, Entry>>;
}

/** What happened to the access to an account, the newest first. */
export function SecurityLogList({ log }: SecurityLogListProps) {
  const { t } = useTranslation('securityLog');
  const { rows, error, hasNext, nextPage, refetch } = log;
  if (!rows) {
    if (error !== undefined) return <ErrorNotice error={error} onRetry={refetch} />;
    return <SkeletonRows count={5} height={72} />;
  }
  if (rows.length === 0)
    return <EmptyState icon={IconShieldLock} title={t('emptyTitle')} text={t('emptyText')} titleOrder={3} />;
  return (
    <Stack gap="md">
      <ul className={classes.list} aria-label={t('title')}>
        {rows.map((entry) => (
          <EntryRow key={entry._id} entry={entry} />
        ))}
      </ul>
      {hasNext && (
        <MoreButton mx="auto" isLoading={nextPage.isLoading} error={nextPage.error} onMore={nextPage.load}>
          {t('more')}
        </MoreButton>
      )}
    </Stack>
  );
}

function EntryRow({ entry: { kind, at, ...whence } }: { entry: Entry }) {
  const { t, i18n } = useTranslation('securityLog');
  const { t: inSettings } = useTranslation('settings', { keyPrefix: 'student' });
  const { browser, system, network } = whence;
  const isKnown = browser !== null || system !== null || network !== null;
  const device = inSettings('device', {
    browser: browser ?? inSettings('unknownBrowser'),
    system: system ?? inSettings('unknownSystem'),
  });
  const isFailure = failures.has(kind);
  const KindIcon = isFailure ? IconAlertTriangle : IconShieldLock;
  return (
    <li className={classes.row}>
      <KindIcon className={isFailure ? classes.failure : classes.icon} size={22} stroke={1.5} aria-hidden />
      <div className={classes.what}>
        <Text fw={600}>{t(`kinds.${kind}`)}</Text>
        <Text size="sm" c="dimmed">
          <time dateTime={at}>{exactTime(new Date(at), i18n.language)}</time>
          {isKnown && ` · ${device}`}
          {network !== null && ` · ${t('network', { network })}`}
        </Text>
      </div>
    </li>
  );
}
