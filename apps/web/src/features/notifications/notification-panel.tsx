import { Badge, Button, Skeleton, Title, UnstyledButton } from '@mantine/core';
import IconArrowBigUp from '@tabler/icons-react/dist/esm/icons/IconArrowBigUp.mjs';
import IconBell from '@tabler/icons-react/dist/esm/icons/IconBell.mjs';
import { type ReactNode, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { Link, useNavigate } from 'react-router-dom';
import { paths } from '../../lib/paths';
import { EmptyState } from '../../components/empty-state';
import { ErrorNotice } from '../../components/notices';
import { ListEnd } from '../../components/paged-rows';
import { PersonAvatar } from '../../components/person-avatar';
import { RelativeTime } from '../../components/relative-time';
import cut from '../../components/rich-text/cut-line.module.css';
import { excerptPieces } from '../../components/rich-text/formula-source';
import { InlineText, MarkedWords } from '../../components/rich-text/inline-text';
import { toast } from '../../components/toast';
import type { NotificationItemFragment } from '../../generated/graphql';
import { dayName } from '../../lib/format';
import { useSkeletonCount } from '../../lib/browser/loading';
import type { PostTarget, PostTargetState } from '../questions/post-target';
import { groupsOf, type NotificationGroup } from './notification-groups';
import classes from './notifications.module.css';
import { useNotifications } from './use-notifications';

interface NotificationPanelProps {
  space: string;
  titleId: string;
  /** Number of notifications that arrived since the list was loaded. */
  newCount: number;
  onClose: () => void;
}

/** The list does not change while it is read: a button above it shows new notifications. */
export function NotificationPanel({ space, titleId, newCount, onClose }: NotificationPanelProps) {
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
        <NotificationRows list={notifications} byDay={false} onClose={onClose} />
      </div>
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

interface RowsProps {
  list: ReturnType<typeof useNotifications>;
  /** Adds a heading per day. */
  byDay: boolean;
  onClose: () => void;
}

export function NotificationRows({ list, byDay, onClose }: RowsProps) {
  const { t, i18n } = useTranslation('notifications');
  const { notifications, error, refetch } = list;
  if (error && !notifications) return <ErrorNotice error={error} onRetry={refetch} />;
  if (!notifications) return <RowSkeletons count={4} />;
  if (notifications.length === 0)
    return <EmptyState icon={IconBell} title={t('emptyTitle')} text={t('emptyText')} titleOrder={3} />;
  return (
    <>
      {byDay ? (
        daysOf(notifications).map((day) => (
          <section key={day[0]?._id}>
            <h2 className={classes.day}>
              {dayName(new Date(day[0]?.createdAt ?? ''), new Date(), i18n.language)}
            </h2>
            <Rows notifications={day} onClose={onClose} />
          </section>
        ))
      ) : (
        <Rows notifications={notifications} onClose={onClose} />
      )}
      <ListEnd list={list} loading={<RowSkeletons count={1} isMore />} />
    </>
  );
}

interface ListedProps {
  notifications: readonly NotificationItemFragment[];
  onClose: () => void;
}

function Rows({ notifications, onClose }: ListedProps) {
  return (
    <ul className={classes.rows}>
      {groupsOf(notifications).map((group) => (
        <li key={group.latest._id}>
          <NotificationItem group={group} onClose={onClose} />
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

interface NotificationItemProps {
  group: NotificationGroup;
  onClose: () => void;
}

/** `a and b`, or the latest and the number of others. */
function useNames(authors: NotificationGroup['authors']): string {
  const { t, i18n } = useTranslation('notifications');
  const [first, ...others] = authors.map(({ userName }) => userName || t('someone'));
  const names = others.length > 1 ? [first, t('others', { count: others.length })] : [first, ...others];
  return new Intl.ListFormat(i18n.language).format(names.filter((name) => name !== undefined));
}

/** A notification, worded by its type, with a link to its question. */
function NotificationItem({ group, onClose }: NotificationItemProps) {
  const { t } = useTranslation('notifications');
  const { latest, authors, isNew } = group;
  const { type, payload, createdAt } = latest;
  const [author] = authors;
  const name = useNames(authors);
  const count = 'upvotes' in payload ? payload.upvotes : Math.max(authors.length, 1);
  return (
    <NotificationLink group={group} onClose={onClose}>
      {author ? (
        <PersonAvatar person={author} size={36} />
      ) : (
        <span className={classes.votes} aria-hidden>
          <IconArrowBigUp size={20} stroke={1.75} />
        </span>
      )}
      <span className={classes.text}>
        <span className={classes.what}>{t(`type.${type}`, { name, count })}</span>
        <span className={`${cut.line} ${classes.excerpt}`} dir="auto">
          <Excerpt notification={latest} />
        </span>
        <span className={classes.foot}>
          <RelativeTime at={createdAt} />
          {isNew && (
            <Badge size="sm" variant="filled" tt="none">
              {t('new')}
            </Badge>
          )}
        </span>
      </span>
    </NotificationLink>
  );
}

/** Excerpt of the comment or answer, otherwise the question's title. */
function Excerpt({ notification: { type, payload } }: { notification: NotificationItemFragment }) {
  if ('commentBody' in payload) return <MarkedWords text={payload.commentBody} isExcerpt />;
  if ('reason' in payload) return <InlineText text={payload.reason} />;
  const answer = type === 'NEW_ANSWER' && 'answer' in payload ? payload.answer : null;
  return <InlineText text={answer?.excerpt ? excerptPieces(answer.excerpt) : payload.questionTitle} />;
}

/** The post that the notification is about. */
function targetOf({ payload }: NotificationItemFragment): PostTarget {
  return {
    answerId: 'answer' in payload ? (payload.answer?._id ?? null) : null,
    commentId: 'commentId' in payload ? payload.commentId : null,
  };
}

function NotificationLink({ group, onClose, children }: NotificationItemProps & { children: ReactNode }) {
  const { t } = useTranslation('notifications');
  const { latest, isNew } = group;
  const { questionId } = latest.payload;
  const className = `${classes.item} ${isNew ? classes.new : ''}`;
  if (questionId)
    return (
      <Link
        className={className}
        to={paths.singleQuestion(questionId, 'home')}
        state={{ target: targetOf(latest) } satisfies PostTargetState}
        onClick={onClose}
      >
        {children}
      </Link>
    );
  const reportMissing = () => {
    if (latest.type !== 'NEW_QUESTION') toast.error(t('noQuestion'));
  };
  return (
    <UnstyledButton className={className} onClick={reportMissing}>
      {children}
    </UnstyledButton>
  );
}
