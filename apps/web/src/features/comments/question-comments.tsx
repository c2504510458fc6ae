import { useApolloClient } from '@apollo/client/react';
import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { ErrorNotice } from '../../components/error-notice';
import { QuietNotice } from '../../components/quiet-notice';
import { SkeletonRows } from '../../components/skeletons';
import { AddQuestionCommentDocument, QuestionCommentsDocument } from '../../generated/graphql';
import { useAnnouncedGrowth } from '../../lib/announce';
import { usePagedList } from '../../lib/paged-list';
import { isRemoved, useGone } from '../questions/gone';
import { usePostTarget } from '../questions/post-target';
import { useWithQuestion } from '../questions/use-question';
import { CommentBox } from './comment-box';
import { CommentThread } from './comment-thread';
import { useOwnComments } from './use-own-comments';
import classes from './comment-section.module.css';

export const QUESTION_COMMENTS_PER_LOAD = 10;

interface QuestionCommentsProps {
  questionId: string;
  space: string;
  /** How many there are, as far as the question knows. */
  count: number;
  /** The question is read again, with them. */
  onCommented: () => void;
}

/** The first come with the question. */
function useComments(questionId: string) {
  const { fetchPolicy } = useWithQuestion(questionId);
  return usePagedList(
    QuestionCommentsDocument,
    { questionId, page: 1, limit: QUESTION_COMMENTS_PER_LOAD },
    'getPaginatedQuestionComments',
    { fetchPolicy, notifyOnNetworkStatusChange: true, isKept: true },
  );
}

/** The comments on a question, ten per load, and the box for one more. */
export function QuestionComments({ questionId, space, count, onCommented }: QuestionCommentsProps) {
  const { t } = useTranslation('ask', { keyPrefix: 'comments' });
  const client = useApolloClient();
  const { own, note } = useOwnComments();
  const sendOwn = useAnnouncedGrowth(count, (more) => t('arrivedOnQuestion', { count: more }));
  const target = usePostTarget();
  const isGone = isRemoved(useGone());
  const { rows, hasMore, error, refetch, nextPage } = useComments(questionId);
  const add = useCallback(
    async (body: string) => {
      const variables = { questionId, body };
      const { data: sent } = await sendOwn(() =>
        client.mutate({ mutation: AddQuestionCommentDocument, variables }),
      );
      note(sent?.createQuestionComment);
      onCommented();
    },
    [client, questionId, sendOwn, note, onCommented],
  );
  return (
    <section className={classes.section} aria-label={t('inQuestion')}>
      {!isGone && (
        <>
          {error && !rows && <ErrorNotice error={error} onRetry={refetch} />}
          {!rows && !error && count > 0 && <SkeletonRows count={Math.min(count, 2)} height={67} />}
          {rows && (
            <CommentThread
              label={t('heading')}
              comments={rows}
              own={own}
              type="QUESTION_COMMENT"
              targetId={target.answerId == null ? (target.commentId ?? undefined) : undefined}
              hasMore={hasMore}
              nextPage={nextPage}
            />
          )}
          {nextPage.error !== undefined && <QuietNotice error={nextPage.error} onRetry={nextPage.load} />}
          {error && rows && <QuietNotice error={error} isStale onRetry={refetch} />}
        </>
      )}
      <CommentBox space={space} postId={questionId} onSend={add} />
    </section>
  );
}
