import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { PageHeading } from '../../../components/page-heading';
import { useRefusal } from '../../../features/notifications/entry-requests';
import { NotificationHead, NotificationRows } from '../../../features/notifications/notification-panel';
import { useNewCount } from '../../../features/notifications/use-new-count';
import { useNotifications } from '../../../features/notifications/use-notifications';
import { useCurrentSpace } from '../../../lib/auth-storage';
import classes from './notifications-screen.module.css';

/** All notifications of a student in the space, by day. */
export default function NotificationsScreen() {
  const space = useCurrentSpace();
  return space && <NotificationsOf key={space._id} space={space._id} />;
}

function NotificationsOf({ space }: { space: string }) {
  const { t } = useTranslation('notifications');
  const list = useNotifications(space);
  const newCount = useNewCount(space);
  const rows = useRef<HTMLDivElement>(null);
  const keepFocus = () => rows.current?.focus({ preventScroll: true });
  const { refuse, dialog } = useRefusal(list.refetch);
  return (
    <div className={classes.screen}>
      <PageHeading
        actions={
          <NotificationHead
            list={list}
            newCount={newCount}
            onShowNew={() => {
              list.refetch();
              keepFocus();
            }}
            onMarked={keepFocus}
          />
        }
      >
        {t('title')}
      </PageHeading>
      <div className={classes.list} ref={rows} tabIndex={-1}>
        <NotificationRows
          list={list}
          byDay
          onClose={() => undefined}
          onAnswered={keepFocus}
          onRefuse={refuse}
        />
      </div>
      {dialog}
    </div>
  );
}
