import { Badge, UnstyledButton } from '@mantine/core';
import IconArrowBigUp from '@tabler/icons-react/dist/esm/icons/IconArrowBigUp.mjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { PersonAvatar } from '../../components/person-avatar';
import { RelativeTime } from '../../components/relative-time';
import cut from '../../components/rich-text/cut-line.module.css';
import { excerptPieces } from '../../components/rich-text/formula-source';
import { InlineText, MarkedWords } from '../../components/rich-text/inline-text';
import { toast } from '../../components/toast';
import type { NotificationItemFragment } from '../../generated/graphql';
import { paths } from '../../lib/paths';
import type { PostTarget, PostTargetState } from '../questions/post-target';
import { EntryRequestActions, type RowActions } from './entry-requests';
import type { NotificationGroup } from './notification-groups';
import classes from './notifications.module.css';

type PostPayload = Exclude<NotificationItemFragment['payload'], { student: unknown }>;

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

/** A notification, with a link to its question or with buttons that answer a request to join. */
export function NotificationItem({ group, ...actions }: RowActions & { group: NotificationGroup }) {
  const { payload } = group.latest;
  const content = <Content group={group} />;
  if (!('student' in payload))
    return (
      <NotificationLink group={group} onClose={actions.onClose}>
        {content}
      </NotificationLink>
    );
  const { space: spaceId, student } = payload;
  return (
    <div className={group.isNew ? classes.new : undefined}>
      <div className={classes.item}>{content}</div>
      <EntryRequestActions
        request={{ spaceId, studentId: student._id, name: student.userName }}
        {...actions}
      />
    </div>
  );
}

/** The notification, worded by its type. */
function Content({ group }: { group: NotificationGroup }) {
  const { t } = useTranslation('notifications');
  const { latest, authors, isNew } = group;
  const { type, payload, createdAt } = latest;
  const [author] = authors;
  const name = useNames(authors);
  const space = 'spaceName' in payload ? payload.spaceName : '';
  const count = 'upvotes' in payload ? payload.upvotes : Math.max(authors.length, 1);
  return (
    <>
      {author ? (
        <PersonAvatar person={author} size={36} />
      ) : (
        <span className={classes.votes} aria-hidden>
          <IconArrowBigUp size={20} stroke={1.75} />
        </span>
      )}
      <span className={classes.text}>
        <span className={classes.what}>{t(`type.${type}`, { name, count, space })}</span>
        {'text' in payload ? (
          payload.text && (
            <span className={`${classes.excerpt} ${classes.request}`} dir="auto">
              {payload.text}
            </span>
          )
        ) : (
          <span className={`${cut.line} ${classes.excerpt}`} dir="auto">
            <Excerpt type={type} payload={payload} />
          </span>
        )}
        <span className={classes.foot}>
          <RelativeTime at={createdAt} />
          {isNew && (
            <Badge size="sm" variant="filled" tt="none">
              {t('new')}
            </Badge>
          )}
        </span>
      </span>
    </>
  );
}

/** Excerpt of the comment or answer, otherwise the question's title. */
function Excerpt({ type, payload }: { type: NotificationItemFragment['type']; payload: PostPayload }) {
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
  const questionId = 'questionId' in latest.payload ? latest.payload.questionId : null;
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
