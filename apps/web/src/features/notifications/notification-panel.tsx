import { Button, Skeleton, Title, VisuallyHidden } from '@mantine/core';
import IconBell from '@tabler/icons-react/dist/esm/icons/IconBell.mjs';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/error-notice';
import { useLoadMore } from '../../lib/use-load-more';
import { NotificationItem } from './notification-item';
import classes from './notifications.module.css';
import { useNotifications } from './use-notifications';

interface NotificationPanelProps {
  space: string;
  titleId: string;
  /** How many arrived since the list was read. */
  newCount: number;
  onClose: () => void;
}

/** The list stands still while one reads it: what arrives is announced above it, and shown when asked for. */
export function NotificationPanel({ space, titleId, newCount, onClose }: NotificationPanelProps) {
  const { t } = useTranslation('notifications');
  const list = useRef<HTMLDivElement>(null);
  const { notifications, error, hasMore, nextPage, refetch } = useNotifications(space);
  const showNew = () => {
    refetch();
    if (list.current) list.current.scrollTop = 0;
    // The button goes: without the focus inside, Escape would not close the panel any more.
    list.current?.focus();
  };
  return (
    <>
      <div className={classes.head}>
        <Title order={2} size="h4" id={titleId}>
          {t('title')}
        </Title>
        <span role="status">
          {notifications && newCount > 0 && (
            <Button size="compact-xs" variant="light" onClick={showNew}>
              {t('showNew')}
            </Button>
          )}
        </span>
      </div>
      <div className={classes.list} ref={list} tabIndex={-1}>
        <NotificationRows {...{ notifications, error, hasMore, nextPage, onClose }} onRetry={refetch} />
      </div>
    </>
  );
}

type RowsProps = Pick<
  ReturnType<typeof useNotifications>,
  'notifications' | 'error' | 'hasMore' | 'nextPage'
> & { onRetry: () => void; onClose: () => void };

function NotificationRows({ notifications, error, hasMore, nextPage, onRetry, onClose }: RowsProps) {
  const { t } = useTranslation('notifications');
  const end = useLoadMore(hasMore && nextPage.error === undefined, nextPage.load);
  if (error && !notifications) return <ErrorNotice error={error} onRetry={onRetry} />;
  if (!notifications) return <RowSkeletons count={4} />;
  if (notifications.length === 0)
    return <EmptyState icon={IconBell} title={t('emptyTitle')} text={t('emptyText')} titleOrder={3} />;
  return (
    <>
      <ul className={classes.rows}>
        {notifications.map((notification) => (
          <li key={notification._id}>
            <NotificationItem notification={notification} onClose={onClose} />
          </li>
        ))}
      </ul>
      <div ref={end} />
      {nextPage.error !== undefined && <ErrorNotice error={nextPage.error} onRetry={nextPage.load} />}
      {hasMore && nextPage.error === undefined && <RowSkeletons count={1} />}
    </>
  );
}

function RowSkeletons({ count }: { count: number }) {
  const { t } = useTranslation('shell');
  return (
    <div role="status">
      <VisuallyHidden>{t('loading')}</VisuallyHidden>
      {Array.from({ length: count }, (_, row) => (
        <div key={row} className={classes.item} aria-hidden>
          <Skeleton height={36} circle />
          <div className={classes.text}>
            <Skeleton height={12} mt={4} width="80%" />
            <Skeleton height={10} mt={10} width="55%" />
          </div>
        </div>
      ))}
    </div>
  );
}
