import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { MoreButton } from '../../components/paged-rows';
import { PersonAvatar } from '../../components/person-avatar';
import { RelativeTime } from '../../components/relative-time';
import type { CommentDetailFragment } from '../../generated/graphql';
import { shownName } from '../../lib/api/erased';
import type { NextPage } from '../../lib/api/paged-list';
import { ParticipantLink, useParticipation } from '../people/participation';
import { PostMenu } from '../questions/post-actions';
import { useScrollToTarget } from '../questions/post-target';
import { useHiddenPosts } from '../reports/hidden-posts';
import type { CommentType } from '../reports/report-type';
import { CommentBody } from './comment-body';
import classes from './comments.module.css';

const SHOWN_AT_FIRST = 3;

interface CommentThreadProps {
  label: string;
  comments: readonly CommentDetailFragment[];
  /** Just written by the reader. */
  own: readonly CommentDetailFragment[];
  type: CommentType;
  /** The linked comment, if it is in this thread. */
  targetId: string | undefined;
  /** The server has more. */
  hasMore: boolean;
  /** Failures are shown elsewhere. */
  nextPage: Pick<NextPage, 'isLoading' | 'load'>;
}

/** Three comments plus the reader's own new ones; all loaded ones after "View all". */
export function CommentThread(props: CommentThreadProps) {
  const { label, comments, own, type, targetId, hasMore } = props;
  const { isLoading, load } = props.nextPage;
  const { t } = useTranslation('ask', { keyPrefix: 'comments' });
  const { studentId } = useParticipation();
  const hidden = useHiddenPosts(studentId, type);
  const [isOpened, setIsExpanded] = useState<boolean>();
  const isExpanded = isOpened ?? targetId !== undefined;
  const visible = comments.filter(({ _id }) => !hidden.has(_id));
  const isMissing = targetId !== undefined && !comments.some(({ _id }) => _id === targetId);
  useEffect(() => {
    if (isMissing && hasMore && !isLoading) load();
    // oxlint-disable-next-line react/exhaustive-deps -- loads page after page until the comment is there
  }, [isMissing, hasMore, isLoading, comments.length]);
  const isLong = visible.length > SHOWN_AT_FIRST || hasMore;
  const folded = isExpanded ? visible : visible.slice(0, SHOWN_AT_FIRST);
  const isShown = new Set(folded.map(({ _id }) => _id));
  const shown = [...folded, ...own.filter(({ _id }) => !isShown.has(_id) && !hidden.has(_id))];
  if (shown.length === 0 && !hasMore) return null;
  return (
    <>
      <ul className={classes.list} aria-label={label}>
        {shown.map((comment) => (
          <CommentItem key={comment._id} comment={comment} type={type} isTarget={comment._id === targetId} />
        ))}
      </ul>
      {isLong && (
        <div className={classes.expanders}>
          {isExpanded && hasMore && (
            <MoreButton variant="subtle" size="compact-sm" nextPage={{ isLoading, load, error: undefined }}>
              {t('more')}
            </MoreButton>
          )}
          <Button
            variant="subtle"
            size="compact-sm"
            aria-expanded={isExpanded}
            onClick={() => setIsExpanded(!isExpanded)}
          >
            {isExpanded ? t('viewLess') : t('viewAll')}
          </Button>
        </div>
      )}
    </>
  );
}

interface CommentItemProps {
  comment: CommentDetailFragment;
  type: CommentType;
  isTarget: boolean;
}

function CommentItem({ comment, type, isTarget }: CommentItemProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'comments' });
  const item = useScrollToTarget<HTMLLIElement>(isTarget);
  return (
    <li
      ref={item}
      className={classes.item}
      data-target={isTarget || undefined}
      tabIndex={isTarget ? -1 : undefined}
    >
      <PersonAvatar person={comment.author} size={28} />
      <div className={classes.text}>
        <div className={classes.byline}>
          <ParticipantLink person={comment.author} className={classes.author}>
            {shownName(comment.author)}
          </ParticipantLink>
          <RelativeTime at={comment.createdAt} className={classes.date ?? ''} />
        </div>
        <CommentBody body={comment.body} mentions={comment.mentions} />
      </div>
      <PostMenu
        target={{ type, _id: comment._id }}
        authorId={comment.author._id}
        label={t('menu', { name: shownName(comment.author) })}
      />
    </li>
  );
}
