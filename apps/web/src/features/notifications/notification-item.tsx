import { Badge, UnstyledButton } from '@mantine/core';
import IconArrowBigUp from '@tabler/icons-react/dist/esm/icons/IconArrowBigUp.mjs';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'react-router-dom';
import { paths } from '../../app/paths';
import { excerptPieces } from '../../components/rich-text/formula-source';
import { InlineText } from '../../components/rich-text/inline-text';
import { MarkedWords } from '../../components/rich-text/marked-words';
import { PersonAvatar } from '../../components/person-avatar';
import { RelativeTime } from '../../components/relative-time';
import { toast } from '../../components/toast';
import type { NotificationItemFragment } from '../../generated/graphql';
import type { PostTarget, PostTargetState } from '../questions/post-target';
import type { NotificationGroup } from './notification-groups';
import cut from '../../components/rich-text/cut-line.module.css';
import classes from './notifications.module.css';

interface NotificationItemProps {
  group: NotificationGroup;
  onClose: () => void;
}

/** `a and b`, or the latest of them and how many more. */
function useNames(authors: NotificationGroup['authors']): string {
  const { t, i18n } = useTranslation('notifications');
  const [first, ...others] = authors.map(({ userName }) => userName || t('somebody'));
  const names = others.length > 1 ? [first, t('others', { count: others.length })] : [first, ...others];
  return new Intl.ListFormat(i18n.language).format(names.filter((name) => name !== undefined));
}

/** What happened, worded by its type, and the way to the question where it did. */
export function NotificationItem({ group, onClose }: NotificationItemProps) {
  const { t } = useTranslation('notifications');
  const { latest, authors, isNew } = group;
  const { type, payload, createdAt } = latest;
  const [author] = authors;
  const name = useNames(authors);
  const count = 'upvotes' in payload ? payload.upvotes : Math.max(authors.length, 1);
  return (
    <Way group={group} onClose={onClose}>
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
    </Way>
  );
}

/** The comment or answer itself where there is one to read, otherwise the question's title. */
function Excerpt({ notification: { type, payload } }: { notification: NotificationItemFragment }) {
  if ('commentBody' in payload) return <MarkedWords text={payload.commentBody} isExcerpt />;
  if ('reason' in payload) return <InlineText text={payload.reason} />;
  const answer = type === 'NEW_ANSWER' && 'answer' in payload ? payload.answer : null;
  return <InlineText text={answer?.excerpt ? excerptPieces(answer.excerpt) : payload.questionTitle} />;
}

/** The very post that it tells of. */
function targetOf({ payload }: NotificationItemFragment): PostTarget {
  return {
    answerId: 'answer' in payload ? (payload.answer?._id ?? null) : null,
    commentId: 'commentId' in payload ? payload.commentId : null,
  };
}

function Way({ group, onClose, children }: NotificationItemProps & { children: ReactNode }) {
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
  const tell = () => {
    if (latest.type !== 'NEW_QUESTION') toast.error(t('noQuestion'));
  };
  return (
    <UnstyledButton className={className} onClick={tell}>
      {children}
    </UnstyledButton>
  );
}
