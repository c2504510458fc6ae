import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CommentDetailFragment } from '../../generated/graphql';
import { useParticipation } from '../questions/participation';
import { useHiddenPosts } from '../reports/hidden-posts';
import type { CommentType } from '../reports/report-type';
import { CommentItem } from './comment-item';
import classes from './comments.module.css';

const SHOWN_AT_FIRST = 3;

interface CommentThreadProps {
  label: string;
  comments: readonly CommentDetailFragment[];
  type: CommentType;
  /** There are more on the server. */
  hasMore: boolean;
  isLoadingMore: boolean;
  onLoadMore: () => void;
}

/** Three comments; all of those loaded after 'View all'. */
export function CommentThread(props: CommentThreadProps) {
  const { label, comments, type, hasMore, isLoadingMore, onLoadMore } = props;
  const { t } = useTranslation('ask', { keyPrefix: 'comments' });
  const { studentId } = useParticipation();
  const hidden = useHiddenPosts(studentId, type);
  const [isExpanded, setIsExpanded] = useState(false);
  const visible = comments.filter(({ _id }) => !hidden.has(_id));
  const isLong = visible.length > SHOWN_AT_FIRST || hasMore;
  if (visible.length === 0 && !hasMore) return null;
  return (
    <>
      <ul className={classes.list} aria-label={label}>
        {(isExpanded ? visible : visible.slice(0, SHOWN_AT_FIRST)).map((comment) => (
          <CommentItem key={comment._id} comment={comment} type={type} />
        ))}
      </ul>
      {isLong && (
        <div className={classes.expanders}>
          {isExpanded && hasMore && (
            <Button variant="subtle" size="compact-sm" loading={isLoadingMore} onClick={onLoadMore}>
              {t('more')}
            </Button>
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
