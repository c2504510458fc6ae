import { Button, Skeleton, Title } from '@mantine/core';
import IconBell from '@tabler/icons-react/dist/esm/icons/IconBell.mjs';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import { paths } from '../../lib/paths';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/notices';
import { ListEnd } from '../../components/paged-rows';
import type { NotificationItemFragment } from '../../generated/graphql';
import { dayName } from '../../lib/format';
import { useSkeletonCount } from '../../lib/browser/loading';
import type { AnsweredRequest } from '../entry/entry-answer';
import type { RowActions } from './entry-requests';
import { groupsOf } from './notification-groups';
import { NotificationItem } from './notification-item';
import classes from './notifications.module.css';
import { useNotifications } from './use-notifications';

interface NotificationPanelProps {
  /** Null for all spaces the user moderates. */
  space: string | null;
  titleId: string;
  /** Number of notifications that arrived since the list was loaded. */
  newCount: number;
  onClose: () => void;
  onRefuse: (request: AnsweredRequest) => void;
}

/** The list does not change while it is read: a button above it shows new notifications. */
export function NotificationPanel({ space, titleId, newCount, onClose, onRefuse }: NotificationPanelProps) {
  const { t } = useTranslation('notifications');
  const list = useRef<HTMLDivElement>(null);
  const notifications = useNotifications(space);
  const navigate = useNavigate();
  // The pressed button disappears, and Escape only closes the panel while the focus is inside.
  const keepFocus = () => list.current?.focus();
  const showNew = () => {
    notifications.refetch();
    if (list.current) list.current.scrollTop = 0;
    keepFocus();
  };
  return (
    <>
      <div className={classes.head}>
        <Title order={2} size="h4" id={titleId}>
          {t('title')}
        </Title>
        <NotificationHead list={notifications} newCount={newCount} onShowNew={showNew} onMarked={keepFocus} />
      </div>
      <div className={classes.list} ref={list} tabIndex={-1} data-autofocus>
        <NotificationRows
          list={notifications}
          byDay={false}
          onClose={onClose}
          onAnswered={keepFocus}
          onRefuse={onRefuse}
        />
      </div>
      {space !== null && (
        <div className={classes.end}>
          <Button
            variant="subtle"
            size="compact-sm"
            onClick={() => {
              onClose();
              void navigate(paths.notifications);
            }}
          >
            {t('showAll')}
          </Button>
        </div>
      )}
    </>
  );
}

interface NotificationHeadProps {
  list: ReturnType<typeof useNotifications>;
  newCount: number;
  onShowNew: () => void;
  onMarked: () => void;
}

/** Buttons to show new notifications and to mark all as read. They disappear once pressed. */
export function NotificationHead({ list, newCount, onShowNew, onMarked }: NotificationHeadProps) {
  const { t } = useTranslation('notifications');
  const hasNew = list.notifications?.some(({ isNew }) => isNew) === true;
  return (
    <span className={classes.actions}>
      <span role="status">
        {list.isSeen && newCount > 0 && (
          <Button size="compact-xs" variant="light" onClick={onShowNew}>
            {t('showNew')}
          </Button>
        )}
      </span>
      {hasNew && (
        <Button
          size="compact-xs"
          variant="subtle"
          onClick={() => {
            list.markAllRead();
            onMarked();
          }}
        >
          {t('markAllRead')}
        </Button>
      )}
    </span>
  );
}

/** Notifications grouped by day. */
function daysOf(notifications: readonly NotificationItemFragment[]) {
  const days = new Map<string, NotificationItemFragment[]>();
  for (const notification of notifications) {
    const day = new Date(notification.createdAt).toDateString();
    days.set(day, [...(days.get(day) ?? []), notification]);
  }
  return [...days.values()];
}

interface RowsProps extends RowActions {
  list: ReturnType<typeof useNotifications>;
  /** Adds a heading per day. */
  byDay: boolean;
}

export function NotificationRows({ list, byDay, onClose, onAnswered, onRefuse }: RowsProps) {
  const { t, i18n } = useTranslation('notifications');
  const { notifications, error, refetch } = list;
  if (error && !notifications) return <ErrorNotice error={error} onRetry={refetch} />;
  if (!notifications) return <RowSkeletons count={4} />;
  if (notifications.length === 0)
    return <EmptyState icon={IconBell} title={t('emptyTitle')} text={t('emptyText')} titleOrder={3} />;
  const actions = {
    onClose,
    onRefuse,
    onAnswered: () => {
      refetch();
      onAnswered();
    },
  };
  return (
    <>
      {byDay ? (
        daysOf(notifications).map((day) => (
          <section key={day[0]?._id}>
            <h2 className={classes.day}>
              {dayName(new Date(day[0]?.createdAt ?? ''), new Date(), i18n.language)}
            </h2>
            <Rows notifications={day} {...actions} />
          </section>
        ))
      ) : (
        <Rows notifications={notifications} {...actions} />
      )}
      <ListEnd list={list} loading={<RowSkeletons count={1} isMore />} />
    </>
  );
}

interface ListedProps extends RowActions {
  notifications: readonly NotificationItemFragment[];
}

function Rows({ notifications, ...actions }: ListedProps) {
  return (
    <ul className={classes.rows}>
      {groupsOf(notifications).map((group) => (
        <li key={group.latest._id}>
          <NotificationItem group={group} {...actions} />
        </li>
      ))}
    </ul>
  );
}

function RowSkeletons({ count, isMore = false }: { count: number; isMore?: boolean }) {
  useSkeletonCount(!isMore);
  return (
    <div>
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
