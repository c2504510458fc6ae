import { Stack, Text } from '@mantine/core';
import IconAlertTriangle from '@tabler/icons-react/dist/esm/icons/IconAlertTriangle.mjs';
import IconShieldLock from '@tabler/icons-react/dist/esm/icons/IconShieldLock.mjs';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../components/empty-state';
import { LoadedRows, MoreButton } from '../../components/paged-rows';
import type { SecurityKind, SecurityLogPagePartsFragment } from '../../generated/graphql';
import { exactTime } from '../../lib/format';
import type { PagedList } from '../../lib/api/paged-list';
import classes from './security-log-list.module.css';

type Entry = SecurityLogPagePartsFragment['docs'][number];

/** Failed attempts, shown with a warning icon. */
const failures: ReadonlySet<SecurityKind> = new Set<SecurityKind>([
  'CODE_FAILED',
  'FACTOR_FAILED',
  'LOG_IN_FAILED',
  'PASSWORD_CHECK_FAILED',
]);

interface SecurityLogListProps {
  log: PagedList<Entry>;
}

/** Logins and security changes of an account, newest first. */
export function SecurityLogList({ log }: SecurityLogListProps) {
  const { t } = useTranslation('securityLog');
  const { hasMore, nextPage } = log;
  const empty = (
    <EmptyState icon={IconShieldLock} title={t('emptyTitle')} text={t('emptyText')} titleOrder={3} />
  );
  return (
    <LoadedRows list={log} count={5} height={72} empty={empty}>
      {(rows) => (
        <Stack gap="md">
          <ul className={classes.list} aria-label={t('title')}>
            {rows.map((entry) => (
              <EntryRow key={entry._id} entry={entry} />
            ))}
          </ul>
          <MoreButton mx="auto" hasMore={hasMore} nextPage={nextPage}>
            {t('more')}
          </MoreButton>
        </Stack>
      )}
    </LoadedRows>
  );
}

function EntryRow({ entry: { kind, at, ...origin } }: { entry: Entry }) {
  const { t, i18n } = useTranslation('securityLog');
  const { t: inSettings } = useTranslation('settings', { keyPrefix: 'student' });
  const { browser, system, network } = origin;
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
